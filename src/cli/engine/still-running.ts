/** The end of a command whose run goes on without it. */
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { remoteWord } from './remote-flags.ts';
import { exitCodes } from '../exit-code.ts';
import type { Session } from '../session.ts';

export function waitCommand(session: Pick<Session, 'engine'>, { runId }: RunFolder): string {
  return `collab wait ${runId}${remoteWord(session)} --timeout 9m`;
}

export function stillRunning(session: Pick<Session, 'engine'>, found: RunFolder): string {
  return `${found.runId} is still running; wait again: ${waitCommand(session, found)}\n`;
}

/** Returns the exit code. */
export function tellStillRunning(session: Pick<Session, 'engine' | 'out'>, found: RunFolder): number {
  session.out(stillRunning(session, found));
  return exitCodes.stillRunning;
}
