/** Finds a run, for all commands on runs. */
import { openRun, type OpenedRun } from '../../runs/folder/opened-run.ts';
import { collabHome, resolveRun } from '../../runs/folder/run-folder.ts';
import type { Session } from '../session.ts';

/** @throws CollabError `run_not_found` */
export function findRun(session: Session, wanted: string | undefined): OpenedRun {
  return openRun(resolveRun(collabHome(session), wanted));
}
