/** Reports a failed turn of a model or an agent as an event. */
import type { ErrorKind, EventBody } from '../events/collab-event.ts';
import type { TurnResult } from '../providers/contract/contract.ts';
import type { ModelFailure } from '../providers/contract/model.ts';
import { errorKindOf } from '../providers/contract/turn-failure.ts';

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
  if (end.kind !== 'overloaded') return errorKindOf(end);
  if ('rateLimited' in end && end.rateLimited) return 'rate_limit';
  return end.unreachable === true ? 'network' : 'overloaded';
}
