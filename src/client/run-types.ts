/** What the server says of conversations and runs, and what is asked of it. */
import type { ContextStatusEventData } from '../views/stream/event.ts';
import type { Outcome, ReviewResult } from './run-events.ts';

export interface ConversationSummary {
  readonly conversation_id: string;
  readonly title: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Null where nothing runs in it now. */
  readonly running_run_id: string | null;
  /** False: its context is full, a new one is needed. */
  readonly can_continue: boolean;
}

export type ConsultOutcome = 'settled' | 'exhausted' | 'unavailable' | 'cancelled' | 'unfinished';

export interface ConversationList {
  /** The one that was changed last first. */
  readonly conversations: readonly ConversationSummary[];
  /** Whether there are more of them. */
  readonly hasMore: boolean;
}

export interface RunSummary {
  readonly run_id: string;
  readonly conversation_id: string;
  readonly kind: 'review' | 'run' | 'consult' | 'turn';
  readonly title: string | null;
  readonly state: 'running' | 'waiting' | 'interrupted' | 'ended';
  /** Of a review or a task, or of a consult; null until it has ended, and where it has none. */
  readonly outcome: Outcome | ConsultOutcome | null;
  readonly status: 'success' | 'error' | 'cancelled' | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** One message of a conversation, in the shape of specification 003; who shows it looks at what is there. */
export interface ConversationMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly status?: unknown;
}

export interface ConversationDetail extends ConversationSummary {
  /** How full its context was after its last answer; null where that is not known. */
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
  /** What `result.json` holds; null where there is none yet. */
  readonly result: ReviewResult | null;
  readonly questions: readonly OpenQuestion[];
  readonly last_seq: number;
}

/** What to start; the fields are the names of the command line's flags. */
export type StartRequest =
  | { readonly kind: 'review'; readonly input: ReviewInput; readonly [flag: string]: unknown }
  | { readonly kind: 'run'; readonly task: string; readonly [flag: string]: unknown };

/** Empty: the working tree. */
export type ReviewInput =
  | { readonly diff: string }
  | { readonly range: string }
  | { readonly base: string }
  | { readonly staged: true }
  | { readonly commit: string }
  | Readonly<Record<string, never>>;

export interface Session {
  readonly tenant: string;
  readonly version: string;
}
