/** Translates the cause of a failed call into the terms of specification 003's events. */
import type { ProviderErrorCode } from '../../errors/provider-error.ts';
import type { ProviderFault } from './provider-projection.ts';
import type { TurnResult, UnavailableCode } from '../contract/contract.ts';
import type { ModelFailure } from '../contract/model.ts';

type Failure = ModelFailure | Exclude<TurnResult, { kind: 'answered' }>;

export function faultOf(failure: Failure): ProviderFault {
  const { message } = failure;
  switch (failure.kind) {
    case 'overloaded': {
      const isOwnLimit = 'rateLimited' in failure && failure.rateLimited;
      const { retryAfterMs } = failure;
      return { code: isOwnLimit ? 'rate_limit' : 'overloaded', message, retryable: true, retryAfterMs };
    }
    case 'timed_out':
      return failure.limit === 'context'
        ? { code: 'context_limit', message, retryable: false }
        : { code: 'timeout', message, retryable: true };
    case 'cut':
      return { code: 'network', message, retryable: true };
    case 'empty':
      return { code: 'protocol', message, retryable: false };
    case 'unavailable':
      return { code: unavailableCode(failure.code), message, retryable: false };
  }
}

function unavailableCode(code: UnavailableCode): ProviderErrorCode {
  if (code === 'quota') return 'options';
  return code === 'died' ? 'internal' : code;
}
