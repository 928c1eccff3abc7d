import type { ErrorKind } from '../../events/collab-event.ts';
import type { ErrorType } from './event.ts';

/** Returns the name of an error kind in specification 002's stream (requirements B.6); null if no error is reported. */
export function streamingErrorType(kind: ErrorKind): ErrorType | null {
  return streamingErrorTypes[kind];
}

/** Returns true if the same request may be sent again later (R002-39, X002-9); false for an unknown name (X002-30). */
export function isRecoverable(type: string): boolean {
  return type === 'conversation_locked' || type === 'timeout_error';
}

export const streamingErrorTypes: Readonly<Record<ErrorKind, ErrorType | null>> = {
  locked: 'conversation_locked',
  cli_missing: 'sdk_not_installed',
  auth: 'options_error',
  model: 'model_validation_error',
  options: 'options_error',
  rate_limit: 'execution_error',
  overloaded: 'execution_error',
  server: 'execution_error',
  network: 'execution_error',
  timeout: 'timeout_error',
  context_limit: 'context_limit_exceeded',
  protocol: 'execution_error',
  parse: 'execution_error',
  internal: 'background_execution_error',
  orphaned: 'background_task_error',
  cancelled: null,
};
