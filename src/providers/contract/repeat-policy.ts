/**
 * The one policy for repeating a failed request: which failures pass, how often and after which wait (X003-14). Pure; the figures
 * are in `config/waits.ts`. A provider makes one attempt. The loop repeats a request of a conversation, the machines repeat a
 * turn of a run.
 */
import { longestWaitMs, unreachableWaitsMs } from '../../config/waits.ts';

/** An overloaded, limited or unreachable service, or a broken connection. */
export interface PassingFailure {
  /** The time that the service requests, if it names one. */
  readonly retryAfterMs?: number | null;
  /** True if no server was reached. */
  readonly unreachable?: boolean;
}

export interface RepeatRules {
  /** Repeats of one request. */
  readonly most: number;
  /** The longest wait before the 1st, 2nd, 3rd repeat if the service names no time. */
  readonly waitsMs: readonly number[];
  /** The longest sum of all waits. */
  readonly longestMs: number;
}

/** Returns false for a failure that the same request would meet again. */
export function isPassing<End extends { readonly kind: string }>(
  end: End,
): end is Extract<End, { readonly kind: 'overloaded' | 'cut' }> {
  return end.kind === 'overloaded' || end.kind === 'cut';
}

/**
 * Decides whether a request is repeated and returns the wait, or null. `waitedMs` is the sum of the earlier waits; once a byte of an
 * answer was shown, the caller does not ask.
 */
export function planRepeat(
  failure: PassingFailure,
  { most, longestMs, waitsMs }: RepeatRules,
  { number, random, waitedMs }: RepeatMoment & { readonly waitedMs: number },
): number | null {
  if (number > most) return null;
  const waitMs = repeatWaitMs(failure, { number, waitsMs, random });
  return waitedMs + waitMs > longestMs ? null : waitMs;
}

/** Returns the wait that a service requests if it is too long to be made; otherwise null. */
export function tooLongWaitMs(
  { retryAfterMs = null }: PassingFailure,
  longestMs = longestWaitMs,
): number | null {
  return retryAfterMs !== null && retryAfterMs > longestMs ? retryAfterMs : null;
}

/** Adds to the message of a failure the wait that is too long. */
export function withLongWait(message: string, waitMs: number): string {
  return `${message}; it asks to wait ${Math.ceil(waitMs / 1000)} s`;
}

interface RepeatMoment {
  /** 1 before the first repeat. */
  readonly number: number;
  /** From 0 to below 1. */
  readonly random: number;
}

/**
 * Returns the wait before a repeat: the time that the service names, otherwise a random part of the longest wait (full jitter), so
 * that callers do not repeat at the same moment.
 */
export function repeatWaitMs(
  { retryAfterMs = null, unreachable = false }: PassingFailure,
  { number, waitsMs, random }: RepeatMoment & Pick<RepeatRules, 'waitsMs'>,
): number {
  if (retryAfterMs !== null) return retryAfterMs;
  const waitMs = nth(waitsMs, number);
  // Settings may shorten the waits for a server that is not there, but not lengthen them.
  const longestMs = unreachable ? Math.min(waitMs, nth(unreachableWaitsMs, number)) : waitMs;
  return Math.floor(random * longestMs);
}

/** Returns the last wait for every further repeat. */
function nth(waitsMs: readonly number[], number: number): number {
  return waitsMs[Math.min(number, waitsMs.length) - 1] ?? 0;
}
