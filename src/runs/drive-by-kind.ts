/** Drives the run of a folder with the driver for its kind; each driver is loaded only when needed. */
import type { DriveFolderOptions, DriveRecordedOptions } from './drive-options.ts';
import type { Departure } from '../engine/port.ts';
import type { RunResult } from './folder/result-file.ts';
import { readJournal } from '../engine/journal/journal-reader.ts';
import { journalFile } from '../engine/journal/journal.ts';
import { requestCancel } from '../engine/drive/other-process.ts';
import { openRun } from './folder/opened-run.ts';
import { readRunInput } from './folder/run-input.ts';
import type { ConsultIntroduction } from './consult/drive.ts';
import type { AdvisorFacts } from './review/actors.ts';
import { withTranscript, writeTranscript } from './folder/with-transcript.ts';
import type { PairFacts } from './workflow/types.ts';

/** The participants, as the first line of a run prints them. */
export type Introduction = AdvisorFacts | ConsultIntroduction;

export interface DriveRunOptions extends DriveFolderOptions {
  /** Called once, before the first call. */
  readonly onAdvisor?: (facts: Introduction) => void;
  /** Called the same way, in a run that has a lead. */
  readonly onPair?: (facts: PairFacts) => void;
}

/**
 * Starts or continues the run of a folder that holds `input.json`. `result.json` says "not finished" from the first
 * moment. For a run that has ended, returns its existing result.
 *
 * @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`, `state_folder`
 */
export function driveRunFolder(options: DriveRunOptions): Promise<Departure<RunResult>> {
  return withTranscript(options, driveByKind);
}

async function driveByKind(options: DriveRunOptions & DriveRecordedOptions): Promise<Departure<RunResult>> {
  const opened = options.opened ?? openRun({ runId: options.runId, path: options.runFolder });
  const { input } = opened;
  switch (input.kind) {
    case 'review': {
      const { driveReview } = await import('./review/drive.ts');
      return driveReview({ ...options, opened });
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

/** Cancels a run for good: the process that drives it settles it; without one, its journal and result are closed here. */
export async function endRun(options: CancelledRun): Promise<'asked' | 'ended'> {
  const how = await requestCancel(options);
  if (how === 'ended') await writeCancelledResult(options);
  return how;
}

/** Writes the result of a run that was cancelled while no process drove it: its journal is closed. */
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
      return writeCancelled({ ...options, input });
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
