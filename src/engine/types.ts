/** The one port between the protocol's machines and whatever makes them durable (DESIGN §5). */
import type { CollabEvent, EventAgent, EventBody } from '../events/collab-event.ts';

export interface RunContext {
  /**
   * Performs once per run; a finished step answers from the record ever after. The record holds the digest of `input`; a
   * remembered name with another digest stops the run with `replay_mismatch`. `perform` returns what went wrong as a
   * value; it throws only for our own bugs and for an abort, and neither is remembered.
   */
  step<Value>(
    name: string,
    input: unknown,
    perform: (attempt: StepAttempt) => Promise<StepResult<Value>>,
  ): Promise<Value>;
  /** A name space of this run for work that goes on in parallel: `child('chunk-3')` names its steps `chunk-3/…`. */
  child<Value>(name: string, body: (context: RunContext) => Promise<Value>): Promise<Value>;
  /** Waits for outside input. Suspends the run where nobody is there. */
  receive<Value>(name: string, question: Question<Value>): Promise<Value>;
  readonly signal: AbortSignal;
}

export interface StepAttempt {
  /** 1 for the first; more after a crash or an abort. */
  readonly number: number;
  /** The agent session that an earlier, lost attempt had bound; null where there was none. */
  readonly lostSessionId: string | null;
  readonly signal: AbortSignal;
  emit(event: EventBody, about?: EventScope): void;
  /** Records the agent's session id, durably, before the call is sent. */
  bind(sessionId: string): Promise<void>;
}

export interface EventScope {
  readonly agent?: EventAgent;
  readonly parentAgentId?: string;
  readonly exchangeId?: string;
}

/** `remember: false` is for the two refusals that a second start may do better: budget spent, no login. */
export interface StepResult<Value> {
  readonly value: Value;
  readonly remember?: boolean;
}

export interface Question<Value> {
  readonly kind: 'gate' | 'clarification' | 'lead_turn' | 'reverse';
  readonly text: string;
  /** JSON Schema of the answer. */
  readonly schema: unknown;
  parse(value: unknown): Value;
}

/** How a run left this process. Only a settled run has written `run.ended`. */
export type Departure<Result> =
  | { readonly kind: 'settled'; readonly result: Result }
  | { readonly kind: 'suspended'; readonly question: string }
  | { readonly kind: 'interrupted'; readonly reason: 'signal' | 'lock_lost' };

export type RunState = 'running' | 'waiting' | 'interrupted' | 'ended';

export interface Engine {
  /** As they are written, to the run's end, or until whoever drives it has left it interrupted. */
  events(runId: string, after?: number): AsyncIterable<CollabEvent>;
  answer(runId: string, name: string, value: unknown): Promise<void>;
  cancel(runId: string): Promise<void>;
  status(runId: string): Promise<RunState>;
}
