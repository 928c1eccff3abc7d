/** Creates the folder of a run with its input and a "not begun" result, before the run is driven. */
import type { Act } from '../../access/may.ts';
import { requireMay } from '../../access/require.ts';
import { owner } from '../../access/speaker.ts';
import { repositoryName } from '../../config/load-config.ts';
import { remove } from '../../system/files/write.ts';
import { createRunFolder, type RunFolder } from '../folder/run-folder.ts';
import { openRun, type OpenedRun } from '../folder/opened-run.ts';
import { writeRunInput, type RunInput } from '../folder/run-input.ts';
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
  if (typeof input !== 'function') checkStart(input, place);
  const found = createRunFolder(place.home, place.clock, place.runId);
  try {
    const whole = typeof input === 'function' ? await input(found) : input;
    checkStart(whole, place);
    const kept = writeRunInput(found.path, whole);
    await writeNothingYet(kept, found, place);
    return openRun(found, { input: kept, change: place.change });
  } catch (error) {
    remove(found.path);
    throw error;
  }
}

/** The last check before a run exists, however its input was made. */
function checkStart(
  input: RunInput,
  { speaker = owner, cwd, repository = repositoryName(cwd) }: CreatingPlace,
): void {
  for (const [act, what] of actsOf(input, repository)) requireMay(speaker, act, what);
}

function actsOf(input: RunInput, repository: string): readonly (readonly [Act, string])[] {
  switch (input.kind) {
    case 'review':
      return [[{ does: 'start a review' }, 'a review'], ...pathsOf(input)];
    case 'consult':
      return [[{ does: 'start a consult', what: repository }, 'a consult']];
    case 'workflow':
      return [
        [{ does: 'start a run of phases' }, 'a run'],
        [{ does: 'read the repository', what: repository }, `the repository ${repository}`],
        ...(input.apply ? [[{ does: 'bring edits into the files' }, '--apply'] as const] : []),
        ...pathsOf(input),
      ];
  }
}

function pathsOf({ reports }: Pick<Extract<RunInput, { kind: 'review' }>, 'reports'>) {
  return reports.map(({ file }) => [{ does: 'name a path' }, file] as const);
}

async function writeNothingYet(
  input: RunInput,
  { path: runFolder, runId }: RunFolder,
  { clock }: CreatingPlace,
): Promise<void> {
  switch (input.kind) {
    case 'review':
      return (await import('../review/result.ts')).writeNotBegun({ runFolder, runId, clock, input });
    case 'consult':
      return (await import('../consult/result.ts')).writeConsultNotBegun({ input, runFolder, runId, clock });
    case 'workflow': {
      const { writeUnfinishedWorkflow } = await import('../workflow/result.ts');
      const met = { advisor: null, lead: null };
      return writeUnfinishedWorkflow({ input, runFolder, runId, clock, met }, 'running');
    }
  }
}
