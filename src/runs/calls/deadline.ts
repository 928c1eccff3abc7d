/**
 * The run's own time limit (`--time-limit`): after it, no call is started and a call in flight is ended. It counts the
 * working time of one drive, without the time of questions, so `collab resume` starts with all of it (ADR 20).
 */
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import type { RunContext } from '../../engine/port.ts';
import type { Clock } from '../../system/clock.ts';
import { renderDuration } from '../../text/quantities.ts';

export interface RunDeadline {
  readonly signal: AbortSignal;
  /** Starts to count. */
  start(): void;
  /** Returns the outcome of a call that was not started because the time limit had passed. */
  refusal(): TurnOutcome;
  /** Returns the outcome of a call that was ended. */
  ended(): TurnOutcome;
  /** Adds time for work that was not known before. */
  extend(ms: number): void;
  /** Does not count the time of this work, such as a question to a user. */
  pausedFor<Value>(work: () => Promise<Value>): Promise<Value>;
  stop(): void;
}

/** `limitMs` null: no limit. */
export function createDeadline(limitMs: number | null, clock: Clock): RunDeadline {
  const deadline = new AbortController();
  let timer = new AbortController();
  let allowedMs = limitMs ?? Number.POSITIVE_INFINITY;
  let [usedMs, countedFrom] = [0, clock.now()];
  let [pauses, running] = [0, false];
  const leftMs = (): number => allowedMs - usedMs - (clock.now() - countedFrom);

  async function count(signal: AbortSignal): Promise<void> {
    while (leftMs() > 0) {
      try {
        await clock.sleep(leftMs(), signal);
      } catch {
        // Only `halt` ends the sleep early.
        return;
      }
    }
    deadline.abort(new Error('the time limit of the run'));
  }

  function goOn(): void {
    if (!running || pauses > 0) return;
    countedFrom = clock.now();
    timer = new AbortController();
    void count(timer.signal);
  }

  function halt(): void {
    timer.abort();
    if (running && pauses === 0) usedMs += clock.now() - countedFrom;
  }

  const message = (): string => `the run's time limit is over (${renderDuration(allowedMs)})`;
  return {
    signal: deadline.signal,
    start() {
      running = limitMs !== null;
      goOn();
    },
    refusal: () => ({ kind: 'refused', cause: 'time', message: message(), made: false }),
    ended: () => ({ kind: 'refused', cause: 'time', message: message(), made: true }),
    extend(ms) {
      halt();
      allowedMs += ms;
      goOn();
    },
    async pausedFor(work) {
      halt();
      pauses += 1;
      try {
        return await work();
      } finally {
        pauses -= 1;
        goOn();
      }
    },
    stop() {
      halt();
      running = false;
    },
  };
}

/** Returns the context of a run whose deadline does not count the time that a person takes to answer. */
export function countWorkOnly(context: RunContext, deadline: Pick<RunDeadline, 'pausedFor'>): RunContext {
  return {
    signal: context.signal,
    step: (name, input, perform, how) => context.step(name, input, perform, how),
    child: (name, body) => context.child(name, (inner) => body(countWorkOnly(inner, deadline))),
    receive: (name, question) => deadline.pausedFor(() => context.receive(name, question)),
  };
}
