/** What the page shows of a run: a fold of its events (`fold/run-fold.ts`). Every part keeps its identity until it changes. */
import type {
  CollabEventOf,
  ExchangeAction,
  ExchangeOutcome,
  FileStatus,
  Finding,
  Phase,
  RejectionReason,
  Tokens,
} from '../../src/client/run-events.ts';

export interface RunState {
  /** Number of the last event that was taken. */
  readonly lastSeq: number;
  readonly startedAt: string | null;
  readonly title: string | null;
  /** Null until the run has ended. */
  readonly end: RunEnd | null;
  readonly phases: readonly PhaseState[];
  /** What was said and done, in its order. What a lost attempt left open is not in it. */
  readonly entries: readonly Entry[];
  /** In the order in which they began. */
  readonly exchanges: readonly ExchangeState[];
  /** Open ones and answered ones, in their order. */
  readonly questions: readonly QuestionState[];
  /** One for each round; the last one counts. */
  readonly reviews: readonly ReviewState[];
  /** Who is at something now, longest first. */
  readonly activities: readonly Activity[];
  readonly usage: UsageState;
  /** Of the session's own agent; null until it is known. */
  readonly context: { readonly tokens: number; readonly max: number } | null;
  readonly budgets: readonly BudgetState[];
}

export interface RunEnd {
  readonly status: 'success' | 'error' | 'cancelled';
  readonly outcome: 'clean' | 'findings' | 'incomplete' | 'failed' | null;
  readonly reasons: readonly string[];
  readonly errors: readonly string[];
  readonly durationMs: number;
}

export interface PhaseState {
  readonly phase: Phase;
  readonly round: number;
  /** Null while it goes on. */
  readonly ended: { readonly result: string } | null;
}

/** Who says or does something. */
export interface SpeakerState {
  readonly id: string;
  readonly role: 'lead' | 'advisor' | 'sub';
  /** As people read it: `Codex`. */
  readonly name: string;
  readonly model: string | null;
  /** 0: the session's own agent, or its equal; more: an agent that an agent started. */
  readonly depth: number;
}

/** Where and when, of every entry. `id` is the number of its first event. */
export interface EntryPlace {
  readonly id: number;
  readonly at: string;
  readonly speaker: SpeakerState;
  /** Index in `phases`; null before the first. */
  readonly phase: number | null;
  readonly exchangeId: string | null;
  readonly step: string | null;
}

export type Entry = EntryPlace & EntryBody;
export type EntryOf<Kind extends EntryBody['kind']> = EntryPlace & Extract<EntryBody, { kind: Kind }>;

export type EntryBody =
  | { readonly kind: 'text'; readonly text: string; readonly isOpen: boolean }
  | {
      readonly kind: 'thinking';
      readonly text: string;
      readonly isOpen: boolean;
      readonly isRedacted: boolean;
    }
  | ({ readonly kind: 'tool' } & ToolState)
  | { readonly kind: 'phase'; readonly begun: PhaseState }
  /** Stands where the exchange began; what it came to is in `exchanges`. */
  | { readonly kind: 'exchange' }
  /** Stands where it was asked; `question` is its index in `questions`. */
  | { readonly kind: 'question'; readonly question: number }
  | { readonly kind: 'agent'; readonly agent: SubAgentState }
  | { readonly kind: 'file'; readonly path: string; readonly change: 'add' | 'update' | 'delete' }
  | { readonly kind: 'plan'; readonly items: CollabEventOf<'plan.updated'>['items'] }
  /** A picture, a sound or a described form; the page only names it. */
  | { readonly kind: 'media'; readonly what: string }
  | { readonly kind: 'review'; readonly review: number }
  | { readonly kind: 'error'; readonly error: ErrorState }
  /** What this step had begun counts for nothing; it is done again. */
  | { readonly kind: 'lost'; readonly reason: 'lost' | 'refused' }
  | { readonly kind: 'raw'; readonly line: string };

export interface ToolState {
  readonly displayName: string;
  readonly args: CollabEventOf<'tool.call'>['args'];
  readonly summary: string;
  readonly trigger: 'agent' | 'user';
  readonly status: 'pending' | 'running' | 'completed' | 'error';
  /** What it has written so far, while it runs. */
  readonly output: string;
  readonly result: {
    readonly content: string;
    readonly isError: boolean;
    readonly exitCode: number | null;
    readonly durationMs: number;
  } | null;
  readonly permission: { readonly decision: 'allow' | 'deny'; readonly by: 'policy' | 'user' } | null;
}

export interface SubAgentState {
  readonly type: string;
  readonly description: string;
  readonly status: 'running' | 'completed' | 'error';
}

export interface ExchangeState {
  readonly id: string;
  readonly tag: string;
  /** What is asked, in the lead's words. */
  readonly question: string | null;
  readonly attempts: readonly AttemptState[];
  readonly reverse: readonly ReverseState[];
  /** Null while it goes on. */
  readonly outcome: ExchangeOutcome | null;
}

export interface AttemptState {
  readonly number: number;
  /** The prompts that were sent; after an answered reverse request an attempt goes on with another one. */
  readonly prompts: readonly {
    readonly ref: string;
    readonly bytes: number;
    readonly step: string | null;
  }[];
  readonly cached: NonNullable<CollabEventOf<'exchange.sent'>['cached']> | null;
  readonly cacheFault: string | null;
  readonly received: {
    readonly sections: Readonly<Record<string, string>>;
    readonly issues: number | null;
    /** Attempts whose sections were joined into this answer. */
    readonly mergedFrom: readonly number[];
  } | null;
  readonly rejected: {
    readonly reason: RejectionReason;
    /** What was missing, or wrong. */
    readonly detail: string;
    /** What happens next. */
    readonly action: ExchangeAction;
  } | null;
}

/** What the advisor asked the lead. */
export interface ReverseState {
  readonly tag: string;
  readonly text: string;
  readonly step: string | null;
  /** Null while the lead is at it. */
  readonly answer: {
    readonly by: 'lead' | 'user' | 'caller' | 'policy';
    readonly text: string;
    /** Why there is no answer. */
    readonly declined: string | null;
  } | null;
}

export interface QuestionState {
  readonly name: string;
  readonly kind: CollabEventOf<'question.asked'>['kind'];
  readonly text: string;
  /** The answer's JSON Schema. */
  readonly schema: CollabEventOf<'question.asked'>['schema'];
  readonly askedAt: string;
  readonly phase: number | null;
  readonly answer: {
    readonly by: CollabEventOf<'question.answered'>['by'];
    readonly value: CollabEventOf<'question.answered'>['value'];
  } | null;
}

export interface ReviewState {
  readonly round: number;
  readonly plan: {
    readonly files: number;
    readonly lines: number;
    readonly skipped: CollabEventOf<'review.planned'>['skipped'];
    readonly chunks: CollabEventOf<'review.planned'>['chunks'];
  } | null;
  /** In the order in which they were reported first; the last word on each. */
  readonly findings: readonly Finding[];
  readonly coverage: readonly CoverageState[];
}

export interface CoverageState {
  readonly path: string;
  readonly status: FileStatus;
  readonly reason: string | null;
}

export interface Activity {
  readonly key: string;
  readonly speaker: SpeakerState;
  readonly exchangeId: string | null;
  readonly step: string | null;
  readonly doing: 'thinking' | 'generating' | 'waiting' | 'tool';
  /** What the tool does, in one line. */
  readonly tool: string | null;
}

export interface UsageState {
  readonly total: Spending;
  /** By agent and model, in the order in which they first spoke. */
  readonly byModel: readonly (Spending & { readonly role: SpeakerState['role']; readonly model: string })[];
}

export interface Spending {
  readonly tokens: Tokens;
  readonly calls: number;
  /** In US dollars; null as soon as one call has no price. */
  readonly costUsd: number | null;
}

export interface BudgetState {
  readonly unit: 'usd' | 'tokens' | 'calls';
  readonly spent: number;
  readonly left: number | null;
}

export interface ErrorState {
  readonly kind: CollabEventOf<'error'>['kind'];
  readonly message: string;
}
