import type { ErrorKind } from '../../events/collab-event.ts';
import type { ResponseErrorType } from './response.ts';
import { streamingErrorTypes } from '../stream/errors.ts';

/** Returns the name of an error kind in specification 000's stream (requirements.md B.6); null if it is not reported. */
export function responseErrorType(kind: ErrorKind): ResponseErrorType | null {
  return byKind[kind];
}

/** 000 has three names; for all other kinds the name of specification 002 is used (X000-7). */
const byKind: Readonly<Record<ErrorKind, ResponseErrorType | null>> = {
  ...streamingErrorTypes,
  cli_missing: 'cli_not_found',
  auth: 'not_logged_in',
  rate_limit: 'network_error',
  overloaded: 'network_error',
  server: 'network_error',
  network: 'network_error',
  timeout: 'network_error',
};
