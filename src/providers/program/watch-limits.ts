/** The three limits of a turn. */
import type { Clock } from '../../system/clock.ts';
import type { TurnLimits } from '../../config/settings.ts';

export type LimitName = 'first_sign' | 'idle' | 'total';

/** Descriptions of the exceeded limits, which follow the agent's name. */
export const limitTexts: Readonly<Record<LimitName, string>> = {
  first_sign: 'did not begin the turn in time',
  idle: 'fell silent',
  total: 'did not finish in time',
};

export interface Progress {
  readonly startedAt: number;
  /** When the agent started the turn; null before. */
  readonly begunAt: number | null;
  readonly lastEventAt: number;
}

export interface WatchOptions {
  readonly limits: TurnLimits;
  readonly clock: Clock;
  readonly progress: () => Progress;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/** Resolves with the exceeded limit, or null if the watch is stopped first. */
export async function watchLimits({
  limits,
  clock,
  progress,
  signal,
}: WatchOptions): Promise<LimitName | null> {
  for (;;) {
    const { limit, at } = nextDeadline(limits, progress());
    const leftMs = at - clock.now();
    if (leftMs <= 0) return limit;
    try {
      // The start of the turn sets a nearer deadline, which the check after an idle time finds.
      await clock.sleep(Math.min(leftMs, limits.idleMs), signal);
    } catch {
      // Only stopping the watch ends the sleep early.
      return null;
    }
  }
}

/** Returns the next limit, if nothing more happens, and its time. */
export function nextDeadline(
  limits: TurnLimits,
  { startedAt, begunAt, lastEventAt }: Progress,
): { readonly limit: LimitName; readonly at: number } {
  const quiet =
    begunAt === null
      ? { limit: 'first_sign' as const, at: startedAt + limits.firstSignMs }
      : { limit: 'idle' as const, at: lastEventAt + limits.idleMs };
  const total = startedAt + limits.totalMs;
  // Extended once by half: an agent that is still working when its time is up may finish.
  const extended = begunAt !== null && lastEventAt + limits.idleMs > total;
  const end = { limit: 'total' as const, at: extended ? total + limits.totalMs / 2 : total };
  return quiet.at <= end.at ? quiet : end;
}
