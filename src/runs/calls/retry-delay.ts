/** Waits before a run repeats a call. */
import type { RepeatWait } from '../../machine/exchange/exchange-types.ts';
import { repeatWaitMs } from '../../providers/contract/repeat-policy.ts';
import type { Clock } from '../../system/clock.ts';
import type { RunDeadline } from './deadline.ts';

export interface RepeatWaitOptions extends RepeatWait {
  /** As in `RepeatRules`. */
  readonly waitsMs: readonly number[];
  readonly clock: Clock;
  readonly deadline: Pick<RunDeadline, 'signal'>;
  readonly signal: AbortSignal;
  readonly actorSignal: AbortSignal;
}

/** Returns early when the run's time is over. Throws if aborted. */
export async function waitBeforeRepeat(wait: RepeatWaitOptions): Promise<void> {
  const { clock, deadline, actorSignal } = wait;
  const signal = AbortSignal.any([wait.signal, actorSignal, deadline.signal]);
  try {
    await clock.sleep(repeatWaitMs(wait, { ...wait, random: Math.random() }), signal);
  } catch (error) {
    if (!deadline.signal.aborted || wait.signal.aborted || actorSignal.aborted) throw error;
  }
}
