/** The server's answers about conversations and runs, and the requests it takes. */
import type { ContextStatusEventData } from '../views/stream/event.ts';
import type { Outcome, ReviewResult, Severity } from './run-events.ts';

export interface ConversationSummary {
  readonly conversation_id: string;
  readonly title: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** The title as a code; null or absent if it is in the user's own words. */
  readonly subject?: RunSubjectCode | null;
  /** The active run, or null if there is none. */
  readonly running_run_id: string | null;
  /** True if that run waits for an answer. */
  readonly is_waiting?: boolean;
  /** False if its context is full and a new conversation is needed. */
  readonly can_continue: boolean;
}

export type ConsultOutcome = 'settled' | 'exhausted' | 'unavailable' | 'cancelled' | 'unfinished';

/** The subject of a run. `name` is the commit, or the first file of a diff (`src/a.ts +2`); null for the others. */
export interface RunSubjectCode {
  readonly kind: 'working_tree' | 'staged' | 'diff' | 'commit' | 'fix';
  readonly name: string | null;
}

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
  /** The title as a code; null or absent if it is in the user's own words. */
  readonly subject?: RunSubjectCode | null;
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

export interface Dismissals {
  /** The dismissed findings of a run, by their ids. */
  readonly dismissals: readonly { readonly finding: string; readonly reason: string }[];
  /** The ids of the findings that the caller may dismiss. */
  readonly open: readonly string[];
}

export interface DismissRequest {
  readonly finding: string;
  readonly reason: string;
}

/** The run to start; the fields are named like the command line's flags. */
export type RequestedRun =
  | { readonly kind: 'review'; readonly input: RequestedReviewInput; readonly [flag: string]: unknown }
  | { readonly kind: 'run'; readonly task: string; readonly [flag: string]: unknown }
  | {
      readonly kind: 'fix';
      /** The run whose findings they are. */
      readonly run: string;
      /** Their numbers in the report. */
      readonly findings: readonly string[];
      readonly [flag: string]: unknown;
    };

/** An empty object means the working tree. */
export type RequestedReviewInput =
  | { readonly diff: string }
  | { readonly range: string }
  | { readonly base: string }
  | { readonly staged: true }
  | { readonly commit: string }
  | Readonly<Record<string, never>>;

/** An agent that the caller may choose. */
export interface OfferedAgent {
  readonly provider: string;
  readonly roles: readonly ('lead' | 'advisor')[];
  /** True if it can work on the server's machine now. */
  readonly ready: boolean;
  /** Its version, or the reason why it is not ready. */
  readonly detail: string | null;
  /** How to make it ready. */
  readonly hint: string | null;
}

/** The branches of the served repository; empty outside of one. */
export interface OfferedBranches {
  /** Sorted by last commit, newest first. */
  readonly branches: readonly string[];
  readonly more: boolean;
  /** The branch that others are compared with. */
  readonly default: string | null;
  readonly current: string | null;
}

export interface ReaderSession {
  readonly tenant: string;
  readonly version: string;
}
