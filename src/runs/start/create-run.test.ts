import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { Guest } from '../../access/speaker.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { readRunInput, type RunInput } from '../folder/run-input.ts';
import { rehearse } from '../rehearsed-review.test-helper.ts';
import { createRun } from './create-run.ts';

const guest: Guest = { kind: 'guest', tenant: 'acme', grants: [], providers: [], isServerOpen: false };

/** The input of a review as it was prepared. */
async function reviewInput(): Promise<Extract<RunInput, { kind: 'review' }>> {
  const { runFolder } = await rehearse({ turns: [] });
  const input = readRunInput(runFolder);
  if (input.kind !== 'review') throw new Error(`a ${input.kind}`);
  return input;
}

test('a new run has its input and a result that says it has not started', async () => {
  const home = join(scratchFolder(), '.collab');
  const input = await reviewInput();
  const { path, runId } = await createRun(input, { home, cwd: home, clock, speaker: guest });
  expect(readRunInput(path)).toEqual(input);
  expect([path, existsSync(join(path, 'result.json'))]).toEqual([join(home, 'runs', runId), true]);
});

test('a run that may not start, or without a valid input, leaves nothing behind', async () => {
  const cwd = scratchFolder();
  const home = join(cwd, '.collab');
  const input = await reviewInput();
  const reporting = { ...input, reports: [{ format: 'json' as const, file: join(cwd, 'x.json') }] };
  const place = { home, cwd, clock, speaker: guest };
  await expect(createRun(reporting, place)).rejects.toMatchObject({ code: 'forbidden' });
  expect(existsSync(home)).toBe(false);
  await expect(createRun(() => reporting, place)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(createRun(() => Promise.reject(new Error('no')), { home, cwd, clock })).rejects.toThrow('no');
  expect(readdirSync(join(home, 'runs'))).toEqual([]);
});
