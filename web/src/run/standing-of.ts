import type { RunDetail, RunSummary } from '../../../src/client/run-types.ts';
import type { RunState } from '../run-state.ts';

/**
 * How a run stands that has not ended. Only the server knows whether anybody drives it any more; as soon as an event came after
 * what the server said, the events know better.
 */
export function standingOf(
  { lastSeq, questions }: Pick<RunState, 'lastSeq' | 'questions'>,
  { last_seq: toldSeq, state }: Pick<RunDetail, 'last_seq' | 'state'>,
): RunSummary['state'] {
  if (lastSeq <= toldSeq) return state;
  return questions.some(({ answer }) => answer === null) ? 'waiting' : 'running';
}
