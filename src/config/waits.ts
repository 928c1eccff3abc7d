/** All waits of a run: the one home of these figures. ADR 39 has the reasons, `references/run.md` the table for users. */

const second = 1000;
const minute = 60 * second;

/** The limits of one agent turn if the user sets none. */
export const turnLimits = {
  firstSignMs: 30 * second,
  firstByteMs: 2 * minute,
  idleMs: 5 * minute,
  totalMs: 30 * minute,
};

/** At most before the first, second, third repeat of an overloaded call if the agent names no time. */
export const overloadedWaitsMs: readonly number[] = [5 * second, 15 * second, 45 * second];

/** The same for a call that reached no server. With four attempts of a few seconds each, the sum stays below 30 s. */
export const unreachableWaitsMs: readonly number[] = [1 * second, 3 * second, 8 * second];

/** The longest wait that an agent of a run may ask for; beyond it the agent is given up, so that no run waits for hours. */
export const longestWaitMs = 10 * minute;

/** The longest sum of the waits before repeats in one answer of a conversation: a user is waiting for it. */
export const answerWaitMs = 2 * minute;

/** For one streamed turn of a conversation on a server (X002-13). */
export const streamLimitSeconds = 300;

/** For reading an answer, with the wait for a thread. */
export const readingLimitMs = 4 * second;

/**
 * Number of an agent's events that are handled before the event loop turns, so that a server can answer other
 * requests.
 */
export const eventsAtOnce = 64;

/** How many long answers are read at the same time; the others wait. */
export const mostReaderThreads = 2;

/** How long an agent is skipped in the same drive after its model was unreachable for a whole exchange. */
export const givenUpForMs = 10 * minute;

const exchangesPerHour = 10;

/** The time limit of a review if the user sets none: 60 minutes per 10 exchanges, rounded up. */
export function reviewTimeLimitMs(exchanges: number): number {
  return Math.max(1, Math.ceil(exchanges / exchangesPerHour)) * 60 * minute;
}

/** The same for a run of phases: 60 minutes for each phase. */
export function workflowTimeLimitMs(phases: number): number {
  return Math.max(1, phases) * 60 * minute;
}
