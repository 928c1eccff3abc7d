import type { CollabEvent, EventBody } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import type { Departure, Question, RunContext } from '../port.ts';
import type { RunEnvelope } from '../journal/journal.ts';
import type { EngineStore } from '../store/engine-store.ts';
import type { RecordedEvents } from '../journal/recorded-events.ts';

export interface PerformOptions<Result> {
  readonly runFolder: string;
  readonly envelope: RunEnvelope;
  /** Default: the folder itself. */
  readonly store?: EngineStore;
  readonly clock: Clock;
  /** Interrupts the run; a later drive continues it. */
  readonly signal: AbortSignal;
  /** The first record of a new run; ignored if the journal has one. */
  readonly start: Extract<EventBody, { type: 'run.started' }>;
  /**
   * The run itself, performed from the start on every drive. Stop your machine in an `abort` listener of
   * `context.signal`: it fires before any attempt's signal, in the same tick.
   */
  readonly body: (context: RunContext) => Promise<Result>;
  /** Returns the last record, or null if the run is not over and a later drive must continue it. */
  readonly settle: (result: Result) => Extract<EventBody, { type: 'run.ended' }> | null;
  /**
   * Called when another process asks for the end; the run settles by its own protocol. Without it the request is refused.
   */
  readonly onCancel?: () => void;
  /** Answers questions in this process; without it the run suspends as soon as no other work is running. */
  readonly answerer?: QuestionAnswerer;
  /** Collects the records of former drives, and each record of this one after its write. */
  readonly recorded?: RecordedEvents;
  /** Called with each record of this drive, in order, after it was collected. */
  readonly onEvent?: (event: CollabEvent) => void;
  /** Awaited after the run has left, before the next owner may take it. */
  readonly onDeparture?: (departure: Departure<Result>) => Promise<void>;
  /** Called after each commit point is written. */
  readonly onCommit?: (events: readonly CollabEvent[]) => void;
}

export type QuestionAnswerer = (asked: AskedQuestion) => Promise<AnswerFromOutside>;

export interface AskedQuestion {
  /** The question's path in the run. */
  readonly name: string;
  readonly question: Pick<Question<unknown>, 'kind' | 'text' | 'schema'>;
  readonly signal: AbortSignal;
}

export interface AnswerFromOutside {
  readonly value: unknown;
  readonly by: Extract<EventBody, { type: 'question.answered' }>['by'];
}
