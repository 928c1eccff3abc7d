/** Converts an error of a client into the last event of its stream, and back. */
import {
  APIError,
  codeOfStatus,
  factsInErrorText,
  isTransient,
  providerErrorCodes,
  providerErrorText,
  ValueError,
  type ProviderError,
  type ProviderErrorCode,
  type WrittenFacts,
} from '../../errors/provider-error.ts';
import type { ProviderFailure } from './provider-event.ts';

export function toFailure(error: unknown): ProviderFailure {
  const fields = fieldsOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const written = factsInErrorText(message);
  const status = numberIn(fields, 'status') ?? written?.status;
  const retryAfter = numberIn(fields, 'retryAfter') ?? written?.retryAfter;
  const code = codeIn(fields, status, written);
  const { retryable } = fields;
  return {
    type: 'error',
    error: providerErrorText(code, message, retryAfter ?? null),
    code,
    status,
    retry_after: retryAfter,
    retryable: typeof retryable === 'boolean' ? retryable : isTransient(code),
  };
}

/** Adds the facts that only the text of an error event names (R003-46). */
export function withWrittenFacts(failure: ProviderFailure): ProviderFailure {
  const written = factsInErrorText(failure.error);
  if (written === null) return failure;
  const { retryAfter, ...facts } = written;
  return { ...facts, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }), ...failure };
}

/** Returns the error for a caller without a stream: a ValueError for a bad value or key, an APIError for a failed call. */
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

/** Returns the known code; without one, a code derived from the status or the connection, otherwise `internal`. */
export function failureCode({ code, status }: Pick<ProviderFailure, 'code' | 'status'>): ProviderErrorCode {
  return codeIn({ code }, status, null);
}

/** Reads an error's fields, because a client may bring its own copy of our classes. A spread does not copy `cause`. */
function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  if (error === null || typeof error !== 'object') return {};
  return { ...error, cause: 'cause' in error ? error.cause : undefined };
}

function codeIn(
  fields: Readonly<Record<string, unknown>>,
  status: number | undefined,
  written: WrittenFacts | null,
): ProviderErrorCode {
  // A ValueError with this text has the code of any bad value.
  if (written?.code === 'auth') return written.code;
  const { code, cause } = fields;
  const known = providerErrorCodes.find((candidate) => candidate === code);
  if (known !== undefined) return known;
  if (status !== undefined) return codeOfStatus(status);
  const signs = [code, fieldsOf(cause)['code']];
  return signs.some((sign) => typeof sign === 'string' && connectionLost.test(sign))
    ? 'network'
    : (written?.code ?? 'internal');
}

/** Node's and undici's codes for a connection that was refused, reset or lost. */
const connectionLost = /^(?:E(?:CONN(?:RESET|REFUSED|ABORTED)|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND)|UND_ERR_\w+)$/;

function numberIn(fields: Readonly<Record<string, unknown>>, key: string): number | undefined {
  const value = fields[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
