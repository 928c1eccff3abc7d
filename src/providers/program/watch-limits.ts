/** The limits of a turn. */
import type { Clock } from '../../system/clock.ts';
import type { TurnLimits } from '../../config/settings.ts';

export type LimitName = 'first_sign' | 'first_byte' | 'idle' | 'total';

/** Descriptions of the exceeded limits, which follow the agent's name. */
export const limitTexts: Readonly<Record<LimitName, string>> = {
  first_sign: 'did not start the turn in time',
  first_byte: 'got no byte of an answer from its model in time',
  idle: 'fell silent',
  total: 'did not finish in time',
};

export interface Progress {
  readonly startedAt: number;
  /** When the agent started the turn; null before. */
  readonly begunAt: number | null;
  /** When the open request was sent to the model, which has not answered yet; null if none is open. */
  readonly requestedAt: number | null;
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
  // An event may set a nearer deadline, which the check after such a time finds.
  const checkMs = Math.min(limits.idleMs, limits.firstByteMs);
  for (;;) {
    const { limit, at } = nextDeadline(limits, progress());
    const leftMs = at - clock.now();
    if (leftMs <= 0) return limit;
    try {
      await clock.sleep(Math.min(leftMs, checkMs), signal);
    } catch {
      // Only stopping the watch ends the sleep early.
      return null;
    }
  }
}

export interface LimitDeadline {
  readonly limit: LimitName;
  readonly at: number;
}

/** Returns the next limit, if nothing more happens, and its time. */
export function nextDeadline(limits: TurnLimits, progress: Progress): LimitDeadline {
  const { startedAt, begunAt, lastEventAt } = progress;
  const quiet = quietDeadline(limits, progress);
  const total = startedAt + limits.totalMs;
  // Extended once by half: an agent that is still working when its time is up may finish.
  const extended = begunAt !== null && lastEventAt + limits.idleMs > total;
  const end = { limit: 'total' as const, at: extended ? total + limits.totalMs / 2 : total };
  return quiet.at <= end.at ? quiet : end;
}

function quietDeadline(
  limits: TurnLimits,
  { startedAt, begunAt, requestedAt, lastEventAt }: Progress,
): LimitDeadline {
  if (begunAt === null) return { limit: 'first_sign', at: startedAt + limits.firstSignMs };
  const idle: LimitDeadline = { limit: 'idle', at: lastEventAt + limits.idleMs };
  if (requestedAt === null) return idle;
  const firstByte: LimitDeadline = { limit: 'first_byte', at: requestedAt + limits.firstByteMs };
  return firstByte.at < idle.at ? firstByte : idle;
}
