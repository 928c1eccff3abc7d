import { expect, test } from 'vitest';
import { jobLog } from './job-log.ts';

function written(env: Readonly<Record<string, string>>, ...pieces: readonly string[]): string {
  let log = '';
  const write = jobLog(env, (text) => void (log += text));
  for (const piece of pieces) write(piece);
  return log;
}

test.each(['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'])(
  'with %s set no text that is written in pieces becomes a command',
  (name) => {
    expect(written({ [name]: 'true' }, 'a\n:', ':error::x\n#', '#[b]')).toBe('a\n: :error::x\n## [b]');
  },
);

test('outside of a CI job the text is written unchanged', () => {
  expect(written({ CI: 'true', GITHUB_ACTIONS: '' }, '::error::x')).toBe('::error::x');
});
