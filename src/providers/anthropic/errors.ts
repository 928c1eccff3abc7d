/** What the SDK throws, as one of the ways a turn can end (facts measured with 1.12; the tests drive the real SDK). */
import type { UnavailableCode } from '../contract.ts';
import type { ModelFailure } from '../model.ts';

/** The part of the SDK's `APIError` that is read; a mistake that is none has no status, no type and no headers. */
export interface ApiFault {
  readonly status: number | undefined;
  /** `overloaded_error` and the like. */
  readonly type: string | null;
  readonly message: string;
  readonly headers: Headers | undefined;
  /** Nothing was heard of the request: refused, reset, no such host. */
  readonly unreachable: boolean;
}

export function classifyFault(fault: ApiFault, now: number): ModelFailure {
  const message = shortened(fault.message);
  if (fault.unreachable) {
    return { kind: 'overloaded', message: `the API cannot be reached: ${message}`, retryAfterMs: null };
  }
  const overloaded = (): ModelFailure => ({
    kind: 'overloaded',
    message,
    retryAfterMs: retryAfterMs(fault.headers, now),
    ...(fault.status === 429 || fault.type === 'rate_limit_error' ? { rateLimited: true } : {}),
  });
  switch (nameOf(fault)) {
    case 'auth':
      return unavailable('auth', message);
    case 'quota':
      return unavailable('quota', message);
    case 'model':
      return unavailable('model', message);
    case 'options':
      return unavailable('options', message);
    case 'context':
      return { kind: 'timed_out', limit: 'context', message };
    case 'overloaded':
      return overloaded();
    case 'cut':
      return { kind: 'cut', message: `the answer broke off: ${message}` };
  }
}

type FaultName = 'auth' | 'quota' | 'model' | 'options' | 'context' | 'overloaded' | 'cut';

function nameOf({ status, type, message }: ApiFault): FaultName {
  const byType = type === null ? undefined : faultTypes[type];
  if (status === undefined) return byType ?? 'cut';
  if (status === 400) return badRequest(message);
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 404) return 'model';
  if (status === 413) return 'context';
  if (status === 408 || status === 409 || status === 429 || status >= 500) return 'overloaded';
  return 'options';
}

/** Of the `error` event in a stream, which has no status. */
const faultTypes: Readonly<Record<string, FaultName>> = {
  overloaded_error: 'overloaded',
  rate_limit_error: 'overloaded',
  api_error: 'overloaded',
  timeout_error: 'overloaded',
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'quota',
  not_found_error: 'model',
  request_too_large: 'context',
  invalid_request_error: 'options',
};

/** Two of the API's 400 are no fault of the request's form. */
function badRequest(message: string): FaultName {
  if (/prompt is too long|exceed.{0,20}context/i.test(message)) return 'context';
  return /credit balance/i.test(message) ? 'quota' : 'options';
}

/** `retry-after-ms`, else `retry-after` in seconds or as a date. */
function retryAfterMs(headers: Headers | undefined, now: number): number | null {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact);
  const written = headers?.get('retry-after') ?? '';
  if (/^\d+(\.\d+)?$/.test(written)) return Math.ceil(Number(written) * 1000);
  const date = Date.parse(written);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil(date - now));
}

function unavailable(code: UnavailableCode, message: string): ModelFailure {
  return { kind: 'unavailable', code, message: `Anthropic: ${message}`, hint: hintFor(code) };
}

export function hintFor(code: UnavailableCode): string {
  switch (code) {
    case 'auth':
      return 'Set ANTHROPIC_API_KEY to a key that is valid for this API.';
    case 'quota':
      return 'Add credit to the account of the key, or choose another lead with --lead.';
    case 'model':
      return 'Choose a model that the key may use: --lead anthropic:<model>.';
    case 'options':
    case 'cli_missing':
    case 'died':
      return 'Check `providers.anthropic` in collab.config.yaml: base_url and model.';
    case 'internal':
      return 'This is a fault of collab: please report it.';
  }
}

function shortened(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}
