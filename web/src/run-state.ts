/**
 * The page's state of a run: a fold of its events (`fold/run-fold.ts`). Every part keeps its identity until it changes.
 */
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
  /** Number of the last folded event. */
  readonly lastSeq: number;
  readonly startedAt: string | null;
  readonly title: string | null;
  /** Is null until the run has ended. */
  readonly end: RunEnd | null;
  readonly phases: readonly PhaseState[];
  /** The output in its order, without anything that a lost attempt left open. */
  readonly entries: readonly TimelineEntry[];
  /** In the order of their start. */
  readonly exchanges: readonly ExchangeState[];
  /** Open and answered ones, in order. */
  readonly questions: readonly QuestionState[];
  /** One for each round; the last one counts. */
  readonly reviews: readonly ReviewState[];
  /** Agents and tools at work, longest first. */
  readonly activities: readonly Activity[];
  readonly usage: UsageState;
  /** For the session's own agent; null until it is known. */
  readonly context: { readonly tokens: number; readonly max: number } | null;
  readonly budgets: readonly BudgetState[];
}

export interface RunEnd {
  readonly status: 'success' | 'error' | 'cancelled';
  readonly outcome: 'clean' | 'findings' | 'nothing_reviewed' | 'incomplete' | 'failed' | null;
  readonly reasons: readonly string[];
  readonly errors: readonly string[];
  readonly durationMs: number;
}

export interface PhaseState {
  readonly phase: Phase;
  readonly round: number;
  /** Is null while it runs. */
  readonly ended: { readonly result: string } | null;
}

/** The author of an event. */
export interface SpeakerState {
  readonly id: string;
  readonly role: 'lead' | 'advisor' | 'sub';
  /** The display name: `Codex`. */
  readonly name: string;
  readonly model: string | null;
  /** 0: the session's own agent, or its equal; more: an agent started by an agent. */
  readonly depth: number;
}

/** Place and time of every entry. `id` is the number of its first event. */
export interface EntryPlace {
  readonly id: number;
  readonly at: string;
  readonly speaker: SpeakerState;
  /** Index in `phases`; null before the first. */
  readonly phase: number | null;
  readonly exchangeId: string | null;
  readonly step: string | null;
}

export type TimelineEntry = EntryPlace & EntryBody;
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
  /** Placed at the start of the exchange; its result is in `exchanges`. */
  | { readonly kind: 'exchange' }
  /** Placed where the run asked it; `question` is its index in `questions`. */
  | { readonly kind: 'question'; readonly question: number }
  | { readonly kind: 'agent'; readonly agent: SubAgentState }
  | { readonly kind: 'file'; readonly path: string; readonly change: 'add' | 'update' | 'delete' }
  | { readonly kind: 'plan'; readonly items: CollabEventOf<'plan.updated'>['items'] }
  /** A picture, a sound or a described form; the page shows only its name. */
  | { readonly kind: 'media'; readonly what: string }
  | { readonly kind: 'review'; readonly review: number }
  | { readonly kind: 'error'; readonly error: ErrorState }
  /** Everything that this step had started is void; it is repeated. */
  | { readonly kind: 'lost'; readonly reason: 'lost' | 'refused' }
  | { readonly kind: 'raw'; readonly line: string };

export interface ToolState {
  readonly displayName: string;
  readonly args: CollabEventOf<'tool.call'>['args'];
  readonly summary: string;
  readonly trigger: 'agent' | 'user';
  readonly status: 'pending' | 'running' | 'completed' | 'error';
  /** Its output so far, while it runs. */
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
  /** The question, in the lead's words. */
  readonly question: string | null;
  readonly attempts: readonly AttemptState[];
  readonly reverse: readonly ReverseState[];
  /** Is null while it runs. */
  readonly outcome: ExchangeOutcome | null;
}

export interface AttemptState {
  readonly number: number;
  /** The prompts that were sent; after an answered reverse request an attempt continues with another one. */
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
    /** Describes the missing or wrong part. */
    readonly detail: string;
    /** The next action. */
    readonly action: ExchangeAction;
  } | null;
}

/** A question from the advisor to the lead. */
export interface ReverseState {
  readonly tag: string;
  readonly text: string;
  readonly step: string | null;
  /** Is null while the lead works on it. */
  readonly answer: {
    readonly by: 'lead' | 'user' | 'caller' | 'policy';
    readonly text: string;
    /** The reason why there is no answer. */
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
  /** Number of the event that began it. */
  readonly since: number;
  readonly plan: {
    readonly files: number;
    readonly lines: number;
    readonly skipped: CollabEventOf<'review.planned'>['skipped'];
    readonly chunks: CollabEventOf<'review.planned'>['chunks'];
  } | null;
  /** In the order of their first report; the latest version of each. */
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
  /** Describes the tool call in one line. */
  readonly tool: string | null;
}

export interface UsageState {
  readonly total: SpendingState;
  /** Usage by agent and model, in the order of their first output. */
  readonly byModel: readonly (SpendingState & {
    readonly role: SpeakerState['role'];
    readonly model: string;
  })[];
  /** Usage by phase, all its rounds together, in the order of the phases; empty for a run without phases. */
  readonly byPhase: readonly (SpendingState & { readonly phase: PhaseState['phase'] })[];
}

export interface SpendingState {
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
  /** The wait after which the failed request is repeated; null if it is not. */
  readonly repeatInMs: number | null;
}
