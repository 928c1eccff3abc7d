/** The run's own time limit (`--time-limit`): after it, no call is started and a call in flight is ended. */
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import type { Clock } from '../../system/clock.ts';

export interface RunDeadline {
  readonly signal: AbortSignal;
  /** Returns the outcome of a call that was not started because the time was over. */
  refusal(): TurnOutcome;
  /** Returns the outcome of a call that was ended. */
  ended(): TurnOutcome;
  stop(): void;
}

export function createDeadline(limitMs: number | null, clock: Clock): RunDeadline {
  const deadline = new AbortController();
  const stopped = new AbortController();
  if (limitMs !== null) {
    clock.sleep(limitMs, stopped.signal).then(
      () => deadline.abort(new Error('the time limit of the run')),
      () => {},
    );
  }
  const message = `the run's time limit is over${limitMs === null ? '' : ` (${limitMs / 1000} s)`}`;
  return {
    signal: deadline.signal,
    refusal: () => ({ kind: 'refused', cause: 'time', message, made: false }),
    ended: () => ({ kind: 'refused', cause: 'time', message, made: true }),
    stop: () => stopped.abort(),
  };
}
