/** Finds a run, for all commands on runs. */
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { collabHome } from '../../runs/folder/run-folder.ts';
import { engineOf } from '../engine/engine-of.ts';
import type { Session } from '../session.ts';

/** @throws CollabError `run_not_found` */
export async function findRun(session: Session, wanted: string | undefined): Promise<OpenedRun> {
  return (await engineOf(session)).find(collabHome(session), wanted);
}
