import type { RunDetail, RunSummary } from '../../../src/client/run-types.ts';
import type { RunEnd, RunState } from '../run-state.ts';

export interface Standing {
  /** Is null until the server has sent it. */
  readonly state: RunSummary['state'] | null;
  /** Its outcome; null if it has not ended. */
  readonly end: (Pick<RunDetail, 'outcome'> & Pick<RunEnd, 'status'>) | null;
  /** True if it has stopped and can be resumed. */
  readonly canGoOn: boolean;
}

/**
 * Returns the status of a run. Only the server knows that its driving process has ended, or that it failed: a failed run
 * may be resumed one day, so none of its events ends it. An event that is newer than the server's answer takes
 * precedence.
 */
export function standingOf(
  { lastSeq, questions, end }: Pick<RunState, 'lastSeq' | 'questions' | 'end'>,
  told: Pick<RunDetail, 'last_seq' | 'state' | 'kind' | 'outcome' | 'status'> | null,
): Standing {
  if (end !== null) return { state: 'ended', end, canGoOn: false };
  if (told === null) return { state: null, end: null, canGoOn: false };
  const { last_seq: toldSeq, kind, outcome, status } = told;
  // While older events are still arriving, one of them may be the end.
  const isEndless = lastSeq >= toldSeq && status === 'error';
  const isAsked = questions.some(({ answer }) => answer === null);
  const state = lastSeq <= toldSeq ? told.state : isAsked ? 'waiting' : 'running';
  return {
    state,
    end: state === 'ended' ? { outcome, status: status ?? 'error' } : null,
    canGoOn: kind !== 'turn' && (state === 'interrupted' || (state === 'ended' && isEndless)),
  };
}
