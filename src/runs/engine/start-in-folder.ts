/** Starts a run of the embedded engine: its input and a "not begun" result, in a folder of its own. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CollabError } from '../../errors/collab-error.ts';
import type { Clock } from '../../system/clock.ts';
import { lookAt } from '../../system/files/fault.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { moveEntry } from '../../system/files/many-files.ts';
import { remove } from '../../system/files/write.ts';
import { makeHome, type RunFolder } from '../folder/run-folder.ts';
import { readRunInput, runInputSchema } from '../folder/run-input.ts';
import { checkStart, fillRunFolder } from '../start/create-run.ts';
import type { NewRun } from './engine.ts';

/** @throws CollabError `input` if the id is another run's */
export async function startInFolder(
  home: string,
  { runId, input }: NewRun,
  clock: Clock,
): Promise<RunFolder> {
  const run = { runId, path: join(home, 'runs', runId) };
  if (lookAt(run.path) === null) await createWhole(home, run, { input, clock });
  const wanted = runInputSchema.parse(JSON.parse(JSON.stringify(input)));
  if (isDeepStrictEqual(readRunInput(run.path), wanted)) return run;
  throw new CollabError('input', `There is another run with the id ${runId}`, { details: { run_id: runId } });
}

interface NewContent {
  readonly input: NewRun['input'];
  readonly clock: Clock;
}

/** Moves a whole folder to the run's place: if several starts do so at once, one succeeds. */
async function createWhole(home: string, run: RunFolder, { input, clock }: NewContent): Promise<void> {
  await checkStart(input, { home, cwd: input.cwd, clock });
  makeHome(home);
  const path = join(home, `start-${randomBytes(6).toString('hex')}`);
  try {
    makeFolder(path);
    await fillRunFolder({ runId: run.runId, path }, input, clock);
    moveEntry(path, run.path);
  } finally {
    remove(path);
  }
}
