/** The wait before an overloaded or cut call is made again: what the agent says, else the settings', with jitter. */
import type { Clock } from '../../system/clock.ts';
import type { RunDeadline } from './deadline.ts';

export interface RepeatWait {
  /** 1 before the first repeat. */
  readonly number: number;
  /** What the agent asks for; null where it names no time. */
  readonly retryAfterMs: number | null;
  /** Before the 1st, 2nd, 3rd repeat. */
  readonly waitsMs: readonly number[];
  readonly clock: Clock;
  readonly deadline: RunDeadline;
  readonly signal: AbortSignal;
  readonly actorSignal: AbortSignal;
}

/** Returns early where the run's time is over. Throws for an abort. */
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
