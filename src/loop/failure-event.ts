/** Reports a failed turn of a model or an agent as an event. */
import type { ErrorKind, EventBody } from '../events/collab-event.ts';
import type { TurnResult } from '../providers/contract/contract.ts';
import type { ModelFailure } from '../providers/contract/model.ts';

export type FailedTurn =
  | ModelFailure
  | Exclude<TurnResult, { kind: 'answered' }>
  | { readonly kind: 'timed_out'; readonly limit: string; readonly message: string };

export function failureEvent(end: FailedTurn): Extract<EventBody, { type: 'error' }> {
  const retryAfterMs = end.kind === 'overloaded' ? end.retryAfterMs : null;
  return {
    type: 'error',
    kind: errorKind(end),
    message: end.message,
    retryable: end.kind !== 'unavailable',
    ...(retryAfterMs === null ? {} : { retry_after_ms: retryAfterMs }),
  };
}

function errorKind(end: FailedTurn): ErrorKind {
  switch (end.kind) {
    case 'timed_out':
      return end.limit === 'context' ? 'context_limit' : 'timeout';
    case 'overloaded':
      if ('rateLimited' in end && end.rateLimited) return 'rate_limit';
      return end.unreachable === true ? 'network' : 'overloaded';
    case 'cut':
      return 'network';
    case 'empty':
      return 'protocol';
    case 'unavailable':
      if (end.code === 'quota') return 'rate_limit';
      return end.code === 'died' ? 'internal' : end.code;
  }
}
