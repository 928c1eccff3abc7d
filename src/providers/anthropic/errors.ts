/** Maps errors of the SDK to the ways a turn can end (measured with 1.12; the tests drive the real SDK). */
import { modelFailure, faultOfStatus, type ApiFault, type FaultName } from '../api/api-fault.ts';
import type { ModelFailure } from '../contract/model.ts';

export function classifyFault(fault: ApiFault, now: number): ModelFailure {
  return modelFailure(nameOf(fault), fault, { provider: 'anthropic', vendor: 'Anthropic', now });
}

function nameOf({ status, type, message }: ApiFault): FaultName {
  if (status === undefined) return (type === null ? undefined : faultTypes[type]) ?? 'cut';
  if (type === 'rate_limit_error') return 'rate_limit';
  return status === 400 ? badRequest(message) : faultOfStatus(status);
}

/** Types of the `error` event in a stream, which has no status. */
const faultTypes: Readonly<Record<string, FaultName>> = {
  overloaded_error: 'overloaded',
  rate_limit_error: 'rate_limit',
  api_error: 'overloaded',
  timeout_error: 'overloaded',
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'quota',
  not_found_error: 'model',
  request_too_large: 'context',
  invalid_request_error: 'options',
};

/** Classifies a 400: two kinds of it are not caused by the request's form. */
function badRequest(message: string): FaultName {
  if (/prompt is too long|exceed.{0,20}context/i.test(message)) return 'context';
  return /credit balance/i.test(message) ? 'quota' : 'options';
}
