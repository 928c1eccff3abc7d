import type { RunDetail, RunSummary } from '../../../src/client/run-types.ts';
import type { RunEnd, RunState } from '../run-state.ts';

export interface Standing {
  /** Null until the server has said it. */
  readonly state: RunSummary['state'] | null;
  /** What it came to; null where it has not ended. */
  readonly end: (Pick<RunDetail, 'outcome'> & Pick<RunEnd, 'status'>) | null;
  /** It stands still, and somebody who starts it again goes on with it. */
  readonly canGoOn: boolean;
}

/**
 * How a run stands. That nobody drives it any more only the server knows, and so it is with one that failed: it may go on one day,
 * so none of its events ends it. As soon as an event came after what the server said, the events know better.
 */
export function standingOf(
  { lastSeq, questions, end }: Pick<RunState, 'lastSeq' | 'questions' | 'end'>,
  told: Pick<RunDetail, 'last_seq' | 'state' | 'kind' | 'outcome' | 'status'> | null,
): Standing {
  if (end !== null) return { state: 'ended', end, canGoOn: false };
  if (told === null) return { state: null, end: null, canGoOn: false };
  const { last_seq: toldSeq, kind, outcome, status } = told;
  // While older events are on their way, one of them may be the end.
  const isEndless = lastSeq >= toldSeq && status === 'error';
  const isAsked = questions.some(({ answer }) => answer === null);
  const state = lastSeq <= toldSeq ? told.state : isAsked ? 'waiting' : 'running';
  return {
    state,
    end: state === 'ended' ? { outcome, status: status ?? 'error' } : null,
    canGoOn: kind !== 'turn' && (state === 'interrupted' || (state === 'ended' && isEndless)),
  };
}
