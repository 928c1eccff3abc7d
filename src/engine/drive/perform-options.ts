import type { CollabEvent, EventBody } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import type { Departure, Question, RunContext } from '../types.ts';
import type { RunEnvelope } from '../journal/journal.ts';

export interface DriveOptions<Result> {
  readonly runFolder: string;
  readonly envelope: RunEnvelope;
  readonly clock: Clock;
  /** Interrupts the run; a later drive goes on. */
  readonly signal: AbortSignal;
  /** The first record of a new run; not used when the journal has one. */
  readonly start: Extract<EventBody, { type: 'run.started' }>;
  /**
   * The run itself, performed from its beginning on every drive. Stop your machine in an `abort` listener of
   * `context.signal`: it fires before any attempt's signal, in the same tick.
   */
  readonly body: (context: RunContext) => Promise<Result>;
  /** The last record, or null where nothing final happened and a later drive shall go on. */
  readonly settle: (result: Result) => Extract<EventBody, { type: 'run.ended' }> | null;
  /** Another process asks for the end; the run settles by its own protocol. Without it the request is refused. */
  readonly onCancel?: () => void;
  /** Whoever answers questions here; without one the run suspends as soon as nothing else is going on. */
  readonly answerer?: Answerer;
  /** Called with each record, in order, after it was written; not with those of earlier drives. */
  readonly onEvent?: (event: CollabEvent) => void;
  /** Awaited when the run has left, before the next owner is let in. */
  readonly onDeparture?: (departure: Departure<Result>) => Promise<void>;
  /** Called after each commit point is on the disk. */
  readonly onCommit?: (events: readonly CollabEvent[]) => void;
}

export type Answerer = (asked: AskedQuestion) => Promise<GivenAnswer>;

export interface AskedQuestion {
  /** Path of the question in the run. */
  readonly name: string;
  readonly question: Pick<Question<unknown>, 'kind' | 'text' | 'schema'>;
  readonly signal: AbortSignal;
}

export interface GivenAnswer {
  readonly value: unknown;
  readonly by: Extract<EventBody, { type: 'question.answered' }>['by'];
}
