/** Drives the run of a folder by the driver of its kind, each loaded only when it is needed. */
import type { DriveFolderOptions } from './drive-options.ts';
import type { Departure } from '../engine/types.ts';
import type { RunResult } from './folder/result-file.ts';
import { readJournal } from '../engine/journal/journal-reader.ts';
import { journalFile } from '../engine/journal/journal.ts';
import { cancelRun } from '../engine/drive/other-process.ts';
import { readRunInput } from './folder/run-input.ts';
import type { ConsultIntroduction } from './consult/drive.ts';
import type { AdvisorFacts } from './review/actors.ts';
import { withTranscript, writeTranscript } from './folder/with-transcript.ts';
import type { PairFacts } from './workflow/types.ts';

/** Who gets what, as the first line of a run says it. */
export type Introduction = AdvisorFacts | ConsultIntroduction;

export interface DriveRunOptions extends DriveFolderOptions {
  /** Called once, before the first call is made. */
  readonly onAdvisor?: (facts: Introduction) => void;
  /** Likewise, in a run that a lead takes part in. */
  readonly onPair?: (facts: PairFacts) => void;
}

/**
 * Starts the run of a folder that holds `input.json`, or goes on with it. From the first moment on `result.json` says "not
 * finished". A run that has ended gives the result that it has.
 *
 * @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`, `state_folder`
 */
export function driveRunFolder(options: DriveRunOptions): Promise<Departure<RunResult>> {
  return withTranscript(options, driveByKind);
}

async function driveByKind(options: DriveRunOptions): Promise<Departure<RunResult>> {
  const input = readRunInput(options.runFolder);
  switch (input.kind) {
    case 'review': {
      const { driveReview } = await import('./review/drive.ts');
      return driveReview({ ...options, input });
    }
    case 'workflow': {
      const { driveWorkflow } = await import('./workflow/drive.ts');
      return driveWorkflow({ ...options, input });
    }
    case 'consult': {
      const { driveConsult } = await import('./consult/drive.ts');
      return driveConsult({ ...options, input });
    }
  }
}

/** Ends a run for good: whoever drives it settles it, or, where nobody does, its record and its result are closed here. */
export async function endRun(options: CancelledRun): Promise<'asked' | 'ended'> {
  const how = await cancelRun(options);
  if (how === 'ended') await writeCancelledResult(options);
  return how;
}

/** The result of a run that was cancelled while nobody drove it: its journal is closed, and this is what it came to. */
async function writeCancelledResult(options: CancelledRun): Promise<void> {
  await writeByKind(options);
  await writeTranscript(options.runFolder, readJournal(journalFile(options.runFolder)).events);
}

type CancelledRun = Pick<DriveRunOptions, 'runFolder' | 'runId' | 'clock'>;

async function writeByKind(options: CancelledRun): Promise<void> {
  const input = readRunInput(options.runFolder);
  switch (input.kind) {
    case 'review': {
      const { writeCancelled } = await import('./review/result.ts');
      return writeCancelled(options);
    }
    case 'workflow': {
      const { writeCancelledWorkflow } = await import('./workflow/result.ts');
      return writeCancelledWorkflow({ ...options, input });
    }
    case 'consult': {
      const { writeCancelledConsult } = await import('./consult/result.ts');
      return writeCancelledConsult({ ...options, input });
    }
  }
}
