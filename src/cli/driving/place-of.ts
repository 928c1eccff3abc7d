import { collabHome } from '../../runs/folder/run-folder.ts';
import type { StartPlace } from '../../runs/start/start-place.ts';
import type { StartDefaults } from '../../runs/start/start-request.ts';
import { readStandardInput } from '../flags/read-standard-input.ts';
import { printableError } from '../printable-error.ts';
import type { Session } from '../session.ts';

/** Prints the waits of a command for a host, on standard error. */
export function waitTeller({ err }: Pick<Session, 'err'>): (line: string) => void {
  return (line) => err(`collab: ${printableError(line)}\n`);
}

/**
 * Returns the start place of a command: its speaker is the person at the terminal, its runs are in the current folder.
 */
export function startPlaceOf(session: Session, defaults: StartDefaults = {}): StartPlace {
  const { cwd, env, clock, signal } = session;
  const readInput: StartPlace['readInput'] = (limit) => readStandardInput(session, limit);
  const tellWait = waitTeller(session);
  return { home: collabHome(session), cwd, env, clock, signal, defaults, readInput, tellWait };
}
