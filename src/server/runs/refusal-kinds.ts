/** What keeps a run from beginning, or ends its machinery, as events name it (X002-14). */
import { CollabError, type ErrorCode } from '../../errors/collab-error.ts';
import type { ErrorKind } from '../../events/collab-event.ts';
import { faultMessage } from '../routes/problem.ts';

export function kindOfError(error: unknown): ErrorKind {
  return error instanceof CollabError ? (kinds[error.code] ?? 'internal') : 'internal';
}

/** What is no error of ours is a bug: its text is for the log. */
export function messageOfError(error: unknown): string {
  if (!(error instanceof CollabError)) return faultMessage;
  return error.hint === null ? error.message : `${error.message} (${error.hint})`;
}

const kinds: Readonly<Partial<Record<ErrorCode, ErrorKind>>> = {
  usage: 'options',
  config: 'options',
  input: 'options',
  empty_input: 'options',
  range: 'options',
  run_not_found: 'options',
  options: 'options',
  locked: 'locked',
  cli_missing: 'cli_missing',
  auth: 'auth',
  model: 'model',
  context_limit: 'context_limit',
  cancelled: 'cancelled',
};
