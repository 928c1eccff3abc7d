/** The only port between the protocol's machines and the engine that makes them durable. */
import type { EventAgent, EventBody } from '../events/collab-event.ts';

export interface RunContext {
  /**
   * Performs a step once per run; a finished step always answers from the record. The record holds the digest of `input`;
   * a remembered name with another digest stops the run with `replay_mismatch`. `perform` returns failures as values; it
   * throws only for our own bugs and for an abort, and neither is remembered.
   */
  step<Value>(
    name: string,
    input: unknown,
    perform: (attempt: StepAttempt) => Promise<StepResult<Value>>,
    options?: StepOptions,
  ): Promise<Value>;
  /** Opens a namespace of this run for parallel work: `child('chunk-3')` names its steps `chunk-3/…`. */
  child<Value>(name: string, body: (context: RunContext) => Promise<Value>): Promise<Value>;
  /** Waits for outside input. Suspends the run if no one is there to answer. */
  receive<Value>(name: string, question: Question<Value>): Promise<Value>;
  readonly signal: AbortSignal;
}

export interface StepOptions {
  /**
   * True for a step that may be done again unnoticed, because it only computes. Nothing waits for its records: they become
   * durable with the next ones that are waited for. Default false.
   */
  readonly repeatable?: boolean;
  /** True for a step whose calls wait for their records themselves, by `bind` or `recorded`: its start is not waited for. Default false. */
  readonly guarded?: boolean;
}

export interface StepAttempt {
  /** 1 for the first; more after a crash or an abort. */
  readonly number: number;
  /** The agent session of an earlier, lost attempt; null if there was none. */
  readonly lostSessionId: string | null;
  readonly signal: AbortSignal;
  emit(event: EventBody, about?: EventScope): void;
  /** Records the agent's session id, durably, before the call is sent. */
  bind(sessionId: string): Promise<void>;
  /** Resolves when all events so far are durable, and rejects if another process has the run: a paid call waits for it. */
  recorded(): Promise<void>;
  /** Stores a large text of the run, such as a prompt; returns the name by which an event refers to it. */
  keep(text: string): string;
}

export interface EventScope {
  readonly agent?: EventAgent;
  readonly parentAgentId?: string;
  readonly exchangeId?: string;
}

/** `remember: false` is for the two refusals that may succeed after a restart: budget spent, no login. */
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

/** The reason why a run left this process. Only a settled run has written `run.ended`. */
export type Departure<Result> =
  | { readonly kind: 'settled'; readonly result: Result }
  | { readonly kind: 'suspended'; readonly question: string }
  | { readonly kind: 'interrupted'; readonly reason: 'signal' | 'lock_lost' };

export type RunStatus = 'running' | 'waiting' | 'interrupted' | 'ended';
