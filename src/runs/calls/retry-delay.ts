/**
 * Waits before an overloaded, unreachable or cut call is repeated: the time that the agent names, otherwise the settings',
 * with jitter.
 */
import { unreachableWaitsMs } from '../../config/waits.ts';
import type { RepeatWait } from '../../machine/exchange/exchange-types.ts';
import type { Clock } from '../../system/clock.ts';
import type { RunDeadline } from './deadline.ts';

export interface RepeatWaitOptions extends RepeatWait {
  /** Before the 1st, 2nd, 3rd repeat. */
  readonly waitsMs: readonly number[];
  readonly clock: Clock;
  readonly deadline: Pick<RunDeadline, 'signal'>;
  readonly signal: AbortSignal;
  readonly actorSignal: AbortSignal;
}

/** Returns early when the run's time is over. Throws if aborted. */
export async function waitBeforeRepeat(wait: RepeatWaitOptions): Promise<void> {
  const { clock, deadline, actorSignal } = wait;
  const waitMs = wait.retryAfterMs ?? baseWaitMs(wait) * (0.9 + Math.random() * 0.2);
  const signal = AbortSignal.any([wait.signal, actorSignal, deadline.signal]);
  try {
    await clock.sleep(waitMs, signal);
  } catch (error) {
    if (!deadline.signal.aborted || wait.signal.aborted || actorSignal.aborted) throw error;
  }
}

/** Settings may shorten the waits for a server that is not there, but not lengthen them. */
export function baseWaitMs({
  number,
  waitsMs,
  unreachable,
}: RepeatWait & Pick<RepeatWaitOptions, 'waitsMs'>): number {
  const waitMs = nth(waitsMs, number);
  return unreachable ? Math.min(waitMs, nth(unreachableWaitsMs, number)) : waitMs;
}

/** Returns the last wait for every further repeat. */
function nth(waitsMs: readonly number[], number: number): number {
  return waitsMs[Math.min(number, waitsMs.length) - 1] ?? 0;
}
