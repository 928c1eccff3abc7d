/** The end of a turn of an agent's program: its result, and the data of its last events. */
import type { EventBody } from '../../events/collab-event.ts';
import type { TurnResult, UnavailableCode } from '../contract/contract.ts';
import { errorKindOf } from '../contract/turn-failure.ts';
import { limitTexts, type LimitName } from './watch-limits.ts';

export interface TurnClosing {
  readonly result: TurnResult;
  readonly stopReason: string | null;
  /** Emitted before the turn's last events; null if nothing went wrong. */
  readonly error: EventBody | null;
}

export type Unanswered = Exclude<TurnResult, { kind: 'answered' }>;

/** `message` is the text of the `error` event. */
export function failedTurn(result: Unanswered, message = result.message): TurnClosing {
  const retryable = result.kind !== 'unavailable';
  const error: EventBody = { type: 'error', kind: errorKindOf(result), message, retryable };
  return { result, stopReason: 'error', error };
}

/** `hasText` is true if a part of the answer came before the limit. */
export function limitClosing(
  agent: string,
  limit: LimitName,
  { sessionId, hasText }: { readonly sessionId: string | null; readonly hasText: boolean },
): TurnClosing {
  const message = `${agent} ${limitTexts[limit]}${hasText ? ' after a partial answer' : ''}`;
  return failedTurn({ kind: 'timed_out', limit, message, sessionId });
}

/** A failure that both programs know. */
export type ProgramFailure =
  | { readonly kind: 'unavailable'; readonly code: UnavailableCode }
  | { readonly kind: 'overloaded'; readonly retryAfterMs?: number | null; readonly unreachable?: true }
  | { readonly kind: 'context' | 'refused' | 'cut' };

/** Returns the result of a turn that failed, without an answer. */
export function failureResult(
  failure: ProgramFailure,
  { message, sessionId }: { readonly message: string; readonly sessionId: string },
  hintFor: (code: UnavailableCode) => string,
): Unanswered {
  switch (failure.kind) {
    case 'unavailable':
      return unavailableWith(hintFor)(failure.code, message);
    case 'overloaded': {
      const { retryAfterMs = null, unreachable } = failure;
      return { kind: 'overloaded', message, retryAfterMs, sessionId, ...(unreachable && { unreachable }) };
    }
    case 'context':
      return { kind: 'timed_out', limit: 'context', message, sessionId };
    case 'refused':
      return { kind: 'empty', message, sessionId };
    case 'cut':
      return { kind: 'cut', message, sessionId, uncounted: false };
  }
}

/** Returns a function that makes the result of an agent that cannot work, with the hint for its code. */
export function unavailableWith(hintFor: (code: UnavailableCode) => string) {
  return (code: UnavailableCode, message: string): Extract<TurnResult, { kind: 'unavailable' }> => ({
    kind: 'unavailable',
    code,
    message,
    hint: hintFor(code),
  });
}
