/** What a client throws as the last event of its stream, and that event as an error again. */
import {
  APIError,
  codeOfStatus,
  isTransient,
  providerErrorCodes,
  providerErrorText,
  ValueError,
  type ProviderError,
  type ProviderErrorCode,
} from '../../errors/provider-error.ts';
import type { ProviderFailure } from './provider-event.ts';

export function toFailure(error: unknown): ProviderFailure {
  const fields = fieldsOf(error);
  const status = numberIn(fields, 'status');
  const retryAfter = numberIn(fields, 'retryAfter');
  const code = codeIn(fields, status);
  const { retryable } = fields;
  const message = error instanceof Error ? error.message : String(error);
  return {
    type: 'error',
    error: providerErrorText(code, message, retryAfter ?? null),
    code,
    status,
    retry_after: retryAfter,
    retryable: typeof retryable === 'boolean' ? retryable : isTransient(code),
  };
}

/** What a caller without a stream gets: a bad value or key is a ValueError, a failed call an APIError. */
export function toError(failure: ProviderFailure): ValueError | ProviderError {
  const code = failureCode(failure);
  switch (code) {
    case 'auth':
    case 'cli_missing':
    case 'model':
    case 'options':
      return new ValueError(failure.error, { code });
    default:
      return new APIError(failure.error, {
        code,
        ...(failure.status === undefined ? {} : { status: failure.status }),
        ...(failure.retry_after === undefined ? {} : { retryAfter: failure.retry_after }),
        retryable: failure.retryable ?? isTransient(code),
      });
  }
}

/** Of a client that gives none: what its status says, else that something failed. */
export function failureCode({ code, status }: Pick<ProviderFailure, 'code' | 'status'>): ProviderErrorCode {
  return codeIn({ code }, status);
}

/** A client may bring its own copy of our classes: what counts is their fields. `cause` is none that a spread copies. */
function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  if (error === null || typeof error !== 'object') return {};
  return { ...error, cause: 'cause' in error ? error.cause : undefined };
}

function codeIn(fields: Readonly<Record<string, unknown>>, status: number | undefined): ProviderErrorCode {
  const { code, cause } = fields;
  const known = providerErrorCodes.find((candidate) => candidate === code);
  if (known !== undefined) return known;
  if (status !== undefined) return codeOfStatus(status);
  const signs = [code, fieldsOf(cause)['code']];
  return signs.some((sign) => typeof sign === 'string' && connectionLost.test(sign)) ? 'network' : 'internal';
}

/** What Node and undici call a connection that was refused, reset or lost. */
const connectionLost = /^(?:E(?:CONN(?:RESET|REFUSED|ABORTED)|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND)|UND_ERR_\w+)$/;

function numberIn(fields: Readonly<Record<string, unknown>>, key: string): number | undefined {
  const value = fields[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
