/** The server's answers about conversations and runs, and the requests it takes. */
import type { ContextStatusEventData } from '../views/stream/event.ts';
import type { Outcome, ReviewResult, Severity } from './run-events.ts';

export interface ConversationSummary {
  readonly conversation_id: string;
  readonly title: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** The active run, or null if there is none. */
  readonly running_run_id: string | null;
  /** False if its context is full and a new conversation is needed. */
  readonly can_continue: boolean;
}

export type ConsultOutcome = 'settled' | 'exhausted' | 'unavailable' | 'cancelled' | 'unfinished';

export interface ConversationList {
  /** Sorted by last change, newest first. */
  readonly conversations: readonly ConversationSummary[];
  /** True if there are more. */
  readonly hasMore: boolean;
}

export interface RunSummary {
  readonly run_id: string;
  readonly conversation_id: string;
  readonly kind: 'review' | 'run' | 'fix' | 'consult' | 'turn';
  readonly title: string | null;
  readonly state: 'running' | 'waiting' | 'interrupted' | 'ended';
  /** The outcome of a review, task or consult; null until it has ended, or if it has none. */
  readonly outcome: Outcome | ConsultOutcome | null;
  readonly status: 'success' | 'error' | 'cancelled' | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** The findings that count, by severity; null until it has ended, and if it looks for none. */
  readonly findings?: Readonly<Record<Severity, number>> | null;
  /** In US dollars; null if it is unknown. */
  readonly cost_usd?: number | null;
}

/** One message of a conversation, in the shape of specification 003; the caller that shows it checks its fields. */
export interface ConversationMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly status?: unknown;
}

export interface ConversationDetail extends ConversationSummary {
  /** How full its context was after its last answer, or null if unknown. */
  readonly context: Pick<ContextStatusEventData, 'usage_percent' | 'warning_level'> | null;
  readonly runs: readonly RunSummary[];
  readonly messages: readonly ConversationMessage[];
}

export interface OpenQuestion {
  readonly name: string;
  readonly kind: 'gate' | 'clarification' | 'lead_turn' | 'reverse';
  readonly text: string;
  /** The answer's JSON Schema. */
  readonly schema: unknown;
}

export interface RunDetail extends RunSummary {
  /** The content of `result.json`, or null if there is none yet. */
  readonly result: ReviewResult | null;
  readonly questions: readonly OpenQuestion[];
  readonly last_seq: number;
}

/** The run to start; the fields are named like the command line's flags. */
export type RequestedRun =
  | { readonly kind: 'review'; readonly input: RequestedReviewInput; readonly [flag: string]: unknown }
  | { readonly kind: 'run'; readonly task: string; readonly [flag: string]: unknown };

/** An empty object means the working tree. */
export type RequestedReviewInput =
  | { readonly diff: string }
  | { readonly range: string }
  | { readonly base: string }
  | { readonly staged: true }
  | { readonly commit: string }
  | Readonly<Record<string, never>>;

export interface ReaderSession {
  readonly tenant: string;
  readonly version: string;
}
