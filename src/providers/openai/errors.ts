/** Maps errors of the SDK and of a stream to the ways a turn can end. */
import { systemClock } from '../../system/clock.ts';
import { modelFailure, faultOfStatus, type ApiFault, type FaultName } from '../api/api-fault.ts';
import type { ModelFailure } from '../contract/model.ts';

export function classifyFault(fault: ApiFault, now: number): ModelFailure {
  return modelFailure(nameOf(fault), fault, { provider: 'openai', vendor: 'OpenAI', now });
}

/** Maps a fault in a stream, which has no status; an unknown one counts as a broken-off answer. */
export function classifyStreamFault(code: string | undefined, message: string): ModelFailure {
  const fault = { status: undefined, type: code ?? null, message, headers: undefined, unreachable: false };
  return classifyFault(fault, systemClock.now());
}

/** Returns the fault. A code is more precise than the status: a spent quota is also a 429. */
function nameOf({ status, type, message }: ApiFault): FaultName {
  const byCode = type === null ? undefined : codes[type];
  if (status === undefined) return nameInStream(byCode, type, message);
  if (byCode !== undefined) return byCode;
  if ((status === 400 || status === 413) && isTooLong.test(message)) return 'context';
  if (status === 404) return /model/i.test(message) ? 'model' : 'options';
  return faultOfStatus(status);
}

/** Servers for local models answer with status 200 before they know that a prompt is too long; others send a status as code. */
function nameInStream(byCode: FaultName | undefined, type: string | null, message: string): FaultName {
  if ((byCode === undefined || byCode === 'overloaded') && isTooLong.test(message)) return 'context';
  if (byCode !== undefined) return byCode;
  return type !== null && /^[45]\d\d$/.test(type) ? faultOfStatus(Number(type)) : 'cut';
}

const isTooLong =
  /maximum context length|context (?:window|length|size)|(?:prompt|input) is too long|too many tokens/i;

const codes: Readonly<Record<string, FaultName>> = {
  invalid_api_key: 'auth',
  insufficient_quota: 'quota',
  billing_hard_limit_reached: 'quota',
  billing_not_active: 'quota',
  model_not_found: 'model',
  context_length_exceeded: 'context',
  string_above_max_length: 'context',
  rate_limit_exceeded: 'rate_limit',
  server_error: 'overloaded',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
  content_filter: 'refused',
  content_policy_violation: 'refused',
  bio_policy: 'refused',
};
