/** Finds a run and reads its result, for all commands on runs. */
import { openRun, type OpenedRun } from '../../runs/folder/opened-run.ts';
import { resultIfThere } from '../../runs/folder/named-result.ts';
import type { RunResult } from '../../runs/folder/result-file.ts';
import { collabHome, resolveRun, resultFile, type RunFolder } from '../../runs/folder/run-folder.ts';
import { readIfThere } from '../../system/files/read.ts';
import type { Session } from '../session.ts';

/** @throws CollabError `run_not_found` */
export function findRun(session: Session, wanted: string | undefined): OpenedRun {
  return openRun(resolveRun(collabHome(session), wanted));
}

/** Returns null if the run was never driven. */
export function readRunResult(run: RunFolder): RunResult | null {
  return resultIfThere(resultFile(run.path), readIfThere);
}
