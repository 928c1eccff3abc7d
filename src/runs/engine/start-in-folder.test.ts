import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { readResult } from '../folder/result-file.ts';
import { readRunInput } from '../folder/run-input.ts';
import { consultInput, reviewInput } from '../folder/saved-runs.test-helper.ts';
import { openEngine } from './open-engine.ts';

const engine = openEngine({ clock });
const runId = '20261121-093000-aaaa';

test('a start makes the whole folder of the run, and nothing beside it', async () => {
  const home = join(scratchFolder(), '.collab');
  const input = consultInput({ cwd: home });
  const run = await engine.start(home, { runId, input });
  expect(run).toEqual({ runId, path: join(home, 'runs', runId) });
  expect(readRunInput(run.path)).toEqual(input);
  expect(readResult(run.path)).toMatchObject({ state: 'running', outcome: 'unfinished' });
  expect(readdirSync(home).toSorted()).toEqual(['.gitignore', 'runs']);
});

test('repeated with the same input, it is the same run; with another one it is refused', async () => {
  const home = join(scratchFolder(), '.collab');
  const input = reviewInput({ cwd: home });
  const run = await engine.start(home, { runId, input });
  expect(await engine.start(home, { runId, input })).toEqual(run);
  const other = reviewInput({ cwd: home, notes: ['other'] });
  expect(await refusalOf(engine.start(home, { runId, input: other }))).toMatchObject({
    code: 'input',
    message: `There is another run with the id ${runId}`,
  });
  expect(readRunInput(run.path)).toEqual(input);
});

test('starts at once with different inputs make one run', async () => {
  const home = join(scratchFolder(), '.collab');
  const inputs = ['one', 'two', 'three'].map((note) => reviewInput({ cwd: home, notes: [note] }));
  const started = await Promise.allSettled(inputs.map((input) => engine.start(home, { runId, input })));
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(home).toSorted()).toEqual(['.gitignore', 'runs']);
});

test('a start that fails leaves nothing', async () => {
  const home = join(scratchFolder(), '.collab');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a wrong input
  const input = { ...reviewInput({ cwd: home }), started_at: 'yesterday' } as never;
  await expect(engine.start(home, { runId, input })).rejects.toThrow('started_at');
  expect(existsSync(join(home, 'runs', runId))).toBe(false);
  expect(readdirSync(home).toSorted()).toEqual(['.gitignore', 'runs']);
});
