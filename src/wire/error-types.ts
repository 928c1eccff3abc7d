import type { ErrorKind } from '../events/collab-event.ts';
import type { ResponseErrorType } from './response.ts';

/** The name of an error kind in specification 000's stream (requirements.md B.6); null where nothing is reported. */
export function responseErrorType(kind: ErrorKind): ResponseErrorType | null {
  return byKind[kind];
}

/** 000 has three names; where it has none, the one of specification 002 is used (X000-7). */
const byKind: Readonly<Record<ErrorKind, ResponseErrorType | null>> = {
  locked: 'conversation_locked',
  cli_missing: 'cli_not_found',
  auth: 'not_logged_in',
  model: 'model_validation_error',
  options: 'options_error',
  rate_limit: 'network_error',
  overloaded: 'network_error',
  server: 'network_error',
  network: 'network_error',
  timeout: 'network_error',
  context_limit: 'context_limit_exceeded',
  protocol: 'execution_error',
  parse: 'execution_error',
  internal: 'background_execution_error',
  orphaned: 'background_task_error',
  cancelled: null,
};
