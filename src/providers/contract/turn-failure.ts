import type { ErrorKind } from '../../events/collab-event.ts';
import type { UnavailableCode } from './contract.ts';

/** A turn without an answer: the part of a `TurnResult`, or of a model's failure, that names the cause. */
export type TurnFailure =
  | { readonly kind: 'unavailable'; readonly code: UnavailableCode }
  | { readonly kind: 'timed_out'; readonly limit: string }
  | { readonly kind: 'overloaded' | 'cut' | 'empty' };

/** Returns the kind of the failure's `error` event. */
export function errorKindOf(failure: TurnFailure): ErrorKind {
  switch (failure.kind) {
    case 'timed_out':
      return failure.limit === 'context' ? 'context_limit' : 'timeout';
    case 'overloaded':
      return 'overloaded';
    case 'cut':
      return 'network';
    case 'empty':
      return 'protocol';
    case 'unavailable':
      if (failure.code === 'quota') return 'rate_limit';
      return failure.code === 'died' ? 'internal' : failure.code;
  }
}
