/** The three limits of a turn (DESIGN §2). */
import type { Clock } from '../../system/clock.ts';
import type { TurnLimits } from '../contract/contract.ts';

export type LimitName = 'first_sign' | 'idle' | 'total';

/** What an agent did that passed a limit; its name stands before. */
export const limitTexts: Readonly<Record<LimitName, string>> = {
  first_sign: 'did not begin the turn in time',
  idle: 'fell silent',
  total: 'did not finish in time',
};

export interface Progress {
  readonly startedAt: number;
  /** When the agent had begun the turn; null before. */
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

/** Settles with the limit that was passed; null when the watch was ended before. */
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
      // The beginning of the turn brings a nearer deadline: the look after an idle time finds it.
      await clock.sleep(Math.min(leftMs, limits.idleMs), signal);
    } catch {
      // Only the end of the watch wakes the sleeper early.
      return null;
    }
  }
}

/** The limit that comes next if nothing more happens, and when. */
export function nextDeadline(
  limits: TurnLimits,
  { startedAt, begunAt, lastEventAt }: Progress,
): { readonly limit: LimitName; readonly at: number } {
  const quiet =
    begunAt === null
      ? { limit: 'first_sign' as const, at: startedAt + limits.firstSignMs }
      : { limit: 'idle' as const, at: lastEventAt + limits.idleMs };
  const total = startedAt + limits.totalMs;
  // Once by half: an agent that is still at work when its time is up may finish.
  const extended = begunAt !== null && lastEventAt + limits.idleMs > total;
  const end = { limit: 'total' as const, at: extended ? total + limits.totalMs / 2 : total };
  return quiet.at <= end.at ? quiet : end;
}
