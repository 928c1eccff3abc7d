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

/** `hasText`: a part of the answer came before the limit. */
export function limitClosing(
  agent: string,
  limit: LimitName,
  { sessionId, hasText }: { readonly sessionId: string | null; readonly hasText: boolean },
): TurnClosing {
  const message = `${agent} ${limitTexts[limit]}${hasText ? ' after a partial answer' : ''}`;
  return failedTurn({ kind: 'timed_out', limit, message, sessionId });
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
