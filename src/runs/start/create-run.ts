/** Creates the folder of a run with its input and a "not begun" result, before the run is driven. */
import { requireMay } from '../../access/require.ts';
import { owner } from '../../access/speaker.ts';
import { repositoryName } from '../../config/load-config.ts';
import type { Clock } from '../../system/clock.ts';
import { remove } from '../../system/files/write.ts';
import { createRunFolder, type RunFolder } from '../folder/run-folder.ts';
import { openRun, type OpenedRun } from '../folder/opened-run.ts';
import { writeRunInput, type RunInput } from '../folder/run-input.ts';
import { loadKind } from '../kinds.ts';
import { undriven, writeResult } from '../run-kind.ts';
import type { ReadChange } from '../review/read-change.ts';
import type { StartPlace } from './start-place.ts';

/** The input of the run; a function for an input that depends on its folder. */
export type StartInput = RunInput | ((found: RunFolder) => RunInput | Promise<RunInput>);

type CreatingPlace = Pick<StartPlace, 'home' | 'cwd' | 'clock' | 'speaker' | 'repository'> & {
  /** Id of an expected run; default: a new id. */
  readonly runId?: string | undefined;
  /** The change under review, if it is at hand. */
  readonly change?: ReadChange | undefined;
};

/** Leaves nothing behind if it fails. @throws CollabError `forbidden`, `input` */
export async function createRun(input: StartInput, place: CreatingPlace): Promise<OpenedRun> {
  if (typeof input !== 'function') await checkStart(input, place);
  const found = createRunFolder(place.home, place.clock, place.runId);
  try {
    const whole = typeof input === 'function' ? await input(found) : input;
    await checkStart(whole, place);
    return openRun(found, { input: await fillRunFolder(found, whole, place.clock), change: place.change });
  } catch (error) {
    remove(found.path);
    throw error;
  }
}

/** Returns the input as a reader of the folder gets it. */
export async function fillRunFolder(found: RunFolder, input: RunInput, clock: Clock): Promise<RunInput> {
  const kept = writeRunInput(found.path, input);
  const run = undriven({ input: kept, runFolder: found.path, runId: found.runId, clock });
  // An earlier report in its place must not be mistaken for this run's.
  await writeResult(run, (await loadKind(kept)).unfinished(run, 'running'));
  return kept;
}

/** The last check before a run exists, however its input was made. @throws CollabError `forbidden` */
export async function checkStart(
  input: RunInput,
  { speaker = owner, cwd, repository = repositoryName(cwd) }: CreatingPlace,
): Promise<void> {
  for (const [act, what] of (await loadKind(input)).acts(input, repository)) requireMay(speaker, act, what);
}
