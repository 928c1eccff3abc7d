import { expect, test } from 'vitest';
import { atTerminal, sessionIn } from '../command.test-helper.ts';
import { followLimit } from './present-run.ts';

const inside = { CLAUDECODE: '1' };
const limitIn = (env: Readonly<Record<string, string>>, screen = {}) =>
  followLimit(sessionIn({ root: '/', env }, { screen }).session);

test('a run is followed only inside Claude Code without a terminal, for a time that its environment names', () => {
  expect(limitIn({})).toBeNull();
  expect(limitIn(inside)).toBe(100_000);
  expect(limitIn({ ...inside, COLLAB_FOLLOW: '2s' })).toBe(2000);
  expect(limitIn(inside, atTerminal)).toBeNull();
  expect(limitIn(inside, { interactive: { out: true, err: false } })).toBeNull();
  expect(limitIn(inside, { interactive: { out: false, err: true } })).toBeNull();
  expect(() => limitIn({ ...inside, COLLAB_FOLLOW: 'soon' })).toThrow(/COLLAB_FOLLOW/);
});
