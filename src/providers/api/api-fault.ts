/** Maps a vendor API's error to one of the ways a turn can end; the error names are the vendor's own. */
import type { UnavailableCode } from '../contract/contract.ts';
import type { ModelFailure } from '../contract/model.ts';
import { parseJson } from '../../text/parse-json.ts';

/** The fields we read of an SDK's error; an error that is not from the API has no status, type or headers. */
export interface ApiFault {
  readonly status: number | undefined;
  /** The vendor's own error name: `overloaded_error`, `insufficient_quota`, `RESOURCE_EXHAUSTED`. */
  readonly type: string | null;
  readonly message: string;
  readonly headers: Headers | undefined;
  /** No response at all: connection refused, reset, unknown host. */
  readonly unreachable: boolean;
}

interface SdkErrors<ApiError> {
  readonly APIError: abstract new (...details: never) => ApiError;
  readonly APIConnectionError: abstract new (...details: never) => unknown;
}

/** Reads an error of an SDK whose errors are these two classes; `wordsOf` reads the vendor's own name and message of it. */
export function faultInSdk<ApiError extends Pick<ApiFault, 'status' | 'headers'>>(
  error: unknown,
  { APIError, APIConnectionError }: SdkErrors<ApiError>,
  wordsOf: (error: ApiError) => Pick<ApiFault, 'type' | 'message'>,
): ApiFault {
  if (!(error instanceof APIError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { status: undefined, type: null, message, headers: undefined, unreachable: false };
  }
  const { status, headers } = error;
  return { status, headers, unreachable: error instanceof APIConnectionError, ...wordsOf(error) };
}

export type FaultName =
  | 'auth'
  | 'quota'
  | 'model'
  | 'options'
  | 'context'
  | 'overloaded'
  | 'rate_limit'
  | 'refused'
  | 'cut';

export interface FaultContext {
  readonly provider: string;
  /** Name for display. */
  readonly vendor: string;
  readonly now: number;
  /** Delay from the body of the API's answer; the headers are read if it is missing. */
  readonly retryAfterMs?: number | null;
}

export function modelFailure(name: FaultName, fault: ApiFault, context: FaultContext): ModelFailure {
  const message = explains(fault.message) ? shortened(fault.message) : unexplained(fault.status);
  if (fault.unreachable) {
    return {
      kind: 'overloaded',
      message: `the API cannot be reached: ${message}`,
      retryAfterMs: null,
      unreachable: true,
    };
  }
  switch (name) {
    case 'auth':
    case 'quota':
    case 'model':
    case 'options': {
      const hint = hintForFault(name, context.provider);
      return { kind: 'unavailable', code: name, message: `${context.vendor}: ${message}`, hint };
    }
    case 'context':
      return { kind: 'timed_out', limit: 'context', message };
    case 'refused':
      return { kind: 'empty', message: `the API refused to answer: ${message}` };
    case 'overloaded':
    case 'rate_limit':
      return {
        kind: 'overloaded',
        message,
        retryAfterMs: context.retryAfterMs ?? retryAfterMs(fault.headers, context.now),
        ...(name === 'rate_limit' ? { rateLimited: true } : {}),
      };
    case 'cut':
      return { kind: 'cut', message: `the answer ended early: ${message}` };
  }
}

/** Maps the status alone. 400 and 404 have more than one cause: the vendor's own words decide. */
export function faultOfStatus(status: number): FaultName {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 404) return 'model';
  if (status === 413) return 'context';
  if (status === 429) return 'rate_limit';
  return status === 408 || status === 409 || status >= 500 ? 'overloaded' : 'options';
}

export function hintForFault(code: UnavailableCode, provider: string): string {
  switch (code) {
    case 'auth':
      return `Set ${provider.toUpperCase()}_API_KEY to a key that is valid for this API.`;
    case 'quota':
      return 'Add credit to the account of the key, or choose another with --advisor or --lead.';
    case 'model':
      return `Choose a model that the key may use: ${provider}:<model> after --advisor or --lead.`;
    case 'options':
    case 'cli_missing':
    case 'died':
      return `Check \`providers.${provider}\` in collab.config.yaml: base_url and model.`;
    case 'internal':
      return 'This is a fault of collab: please report it.';
  }
}

/** Reads `retry-after-ms`, else `retry-after` in seconds or as a date. */
function retryAfterMs(headers: Headers | undefined, now: number): number | null {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact);
  const written = headers?.get('retry-after') ?? '';
  if (/^\d+(\.\d+)?$/.test(written)) return Math.ceil(Number(written) * 1000);
  const date = Date.parse(written);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil(date - now));
}

/** Returns false for an empty body, or JSON without a text: some gateways send `{}`. */
function explains(message: string): boolean {
  const body = message.replace(/^\d{3} /, '').trim();
  const value = parseJson(body);
  return value === undefined ? /[\p{L}\p{N}]/u.test(body) : hasText(value);
}

function hasText(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasText);
  return typeof value === 'string' && value.trim() !== '';
}

function unexplained(status: number | undefined): string {
  return `the API failed without an explanation${status === undefined ? '' : ` (HTTP ${status})`}`;
}

function shortened(message: string): string {
  const line = message.replace(/\s+/g, ' ').trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}
