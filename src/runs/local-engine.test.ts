import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { driveRun } from '../engine/drive/perform-run.ts';
import { runEnvelope } from '../engine/journal/open-journal.test-helper.ts';
import { createManualClock } from '../system/manual-clock.test-helper.ts';
import { createLocalEngine } from './local-engine.ts';

let home = '';
const clock = createManualClock();
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'collab-local-engine-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('the local engine speaks of runs by their id, and a reader may leave while nothing happens', async () => {
  const engine = createLocalEngine({ home, clock });
  await driveRun<string>({
    runFolder: join(home, 'runs', 'run-1'),
    clock,
    envelope: runEnvelope(),
    signal: new AbortController().signal,
    start: { type: 'run.started', name: 'collab', tools: [], cwd: '/' },
    settle: () => ({
      type: 'run.ended',
      status: 'cancelled',
      outcome: null,
      reasons: [],
      result: null,
      errors: [],
      duration_ms: 0,
      turns: 0,
    }),
    body: (context) =>
      context.receive('gate', { kind: 'gate', text: 'Yes?', schema: { type: 'string' }, parse: String }),
  });
  expect(await engine.status('run-1')).toBe('waiting');
  const types: string[] = [];
  for await (const { type } of engine.events('run-1', 1)) {
    types.push(type);
    break;
  }
  const iterator = engine.events('run-1', 2)[Symbol.asyncIterator]();
  const next = iterator.next();
  await iterator.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
  await engine.answer('run-1', 'gate', 'yes');
  await engine.cancel('run-1');
  for await (const { type } of engine.events('run-1', 2)) types.push(type);
  expect(types).toEqual(['question.asked', 'question.answered', 'run.ended']);
  await expect(engine.status('run-9')).rejects.toMatchObject({ code: 'run_not_found' });
});
