/**
 * Waits before an overloaded or cut call is repeated: the time that the agent names, otherwise the settings', with
 * jitter.
 */
import type { Clock } from '../../system/clock.ts';
import type { RunDeadline } from './deadline.ts';

export interface RepeatWait {
  /** 1 before the first repeat. */
  readonly number: number;
  /** The time that the agent requests; null if it names none. */
  readonly retryAfterMs: number | null;
  /** Before the 1st, 2nd, 3rd repeat. */
  readonly waitsMs: readonly number[];
  readonly clock: Clock;
  readonly deadline: RunDeadline;
  readonly signal: AbortSignal;
  readonly actorSignal: AbortSignal;
}

/** Returns early when the run's time is over. Throws if aborted. */
export async function waitBeforeRepeat(wait: RepeatWait): Promise<void> {
  const { number, retryAfterMs, waitsMs, clock, deadline, actorSignal } = wait;
  const base = waitsMs[Math.min(number, waitsMs.length) - 1] ?? 0;
  const waitMs = retryAfterMs ?? base * (0.9 + Math.random() * 0.2);
  const signal = AbortSignal.any([wait.signal, actorSignal, deadline.signal]);
  try {
    await clock.sleep(waitMs, signal);
  } catch (error) {
    if (!deadline.signal.aborted || wait.signal.aborted || actorSignal.aborted) throw error;
  }
}
