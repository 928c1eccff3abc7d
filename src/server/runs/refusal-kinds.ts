/** Maps the errors that keep a run from starting, or end its machinery, to their kinds in events (X002-14). */
import { CollabError, type ErrorCode } from '../../errors/collab-error.ts';
import { isDatabaseFault } from '../../errors/database-fault.ts';
import type { ErrorKind } from '../../events/collab-event.ts';
import { databaseMessage, faultMessage } from '../routes/problem.ts';

export function kindOfError(error: unknown): ErrorKind {
  if (isDatabaseFault(error)) return 'internal';
  return error instanceof CollabError ? (kinds[error.code] ?? 'internal') : 'internal';
}

/** Returns true for a bug, the database, or a file that the disk refuses: its text is only logged. */
export function isServersFault(error: unknown): boolean {
  return !(error instanceof CollabError) || error.code === 'file' || isDatabaseFault(error);
}

/** Returns the text for clients. */
export function messageOfError(error: unknown): string {
  if (isDatabaseFault(error)) return databaseMessage;
  if (!(error instanceof CollabError) || isServersFault(error)) return faultMessage;
  return error.hint === null ? error.message : `${error.message} (${error.hint})`;
}

const kinds: Readonly<Partial<Record<ErrorCode, ErrorKind>>> = {
  usage: 'options',
  forbidden: 'options',
  config: 'options',
  input: 'options',
  empty_input: 'options',
  range: 'options',
  run_not_found: 'options',
  options: 'options',
  locked: 'locked',
  queue_full: 'overloaded',
  cli_missing: 'cli_missing',
  auth: 'auth',
  model: 'model',
  context_limit: 'context_limit',
  cancelled: 'cancelled',
};
