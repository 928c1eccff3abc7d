/** What a review is done by, as `collab.config.yaml` and the flags say it; flags win. */
import type { Phase, Severity } from '../tags/tags.ts';

export const reportFormats = ['terminal', 'json', 'markdown', 'sarif', 'rdjson', 'github', 'gitlab'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** A consult answers in sections; the other formats tell findings. */
export const consultFormats = ['terminal', 'json', 'markdown'] as const satisfies readonly ReportFormat[];
export type ConsultFormat = (typeof consultFormats)[number];

export interface Settings {
  /** `auto`, `<provider>` or `<provider>:<model>`. */
  readonly advisor: string;
  /** `auto`, `caller`, `none`, `<provider>` or `<provider>:<model>`. */
  readonly lead: string;
  /** Whether the lead checks Critical and Important findings of a review; `auto`: where there is one that can. */
  readonly verify: boolean | 'auto';
  readonly allowStatic: boolean;
  /** Whether a lead goes on where a consult got no answer; the outcome says it. */
  readonly onAdvisorFailure: 'stop' | 'continue';
  readonly failOn: Severity | 'never';
  readonly allowEmpty: boolean;
  readonly failOnEmpty: boolean;
  readonly format: ReportFormat;
  readonly reports: readonly ReportTarget[];
  readonly focus: string | null;
  /** Absolute path of a text file. */
  readonly instructions: string | null;
  /** Absolute path of the suppression file. */
  readonly suppressions: string | null;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** BCP 47; null leaves the language to the advisor. */
  readonly language: string | null;
  /** For the whole run; null for none. */
  readonly timeLimitMs: number | null;
  /** Of all calls of a run, in US dollars; null for none. */
  readonly budgetUsd: number | null;
  /** Of all calls of a run, in tokens of every kind; null for none. */
  readonly budgetTokens: number | null;
  /** Agent calls of a run, repeated and lost ones too; null for no limit. */
  readonly budgetCalls: number | null;
  readonly concurrency: number;
  /** Whether a review takes answers of earlier runs for chunks that have not changed, and keeps its own. */
  readonly cache: boolean;
  /** Diff bytes ÷ 4 in one exchange. */
  readonly chunkTokens: number;
  /** Of a turn in a phase that has none of its own. */
  readonly limits: TurnLimits;
  /** Whole: what a phase leaves open is as in `limits`. A plain review is of the phase `review`. */
  readonly phaseLimits: Readonly<Partial<Record<Phase, TurnLimits>>>;
  readonly budgets: Budgets;
  /** Before the first, second … repeat of an overloaded call that names no time itself. */
  readonly waitsMs: readonly number[];
  /** Absolute: folders that hold providers of others, a folder each. Null for the usual one, `ai_client`. */
  readonly providerPaths: readonly string[] | null;
  /** By provider; their keys are the provider's own. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Of a turn of a conversation that a server streams; null for none. */
  readonly streamLimitSeconds: number | null;
  readonly tools: ToolSettings;
}

/** Of the tools of a conversation. */
export interface ToolSettings {
  /** By name, by group (`git.*`) or for all (`*`). */
  readonly policy: Readonly<Record<string, ToolLeave>>;
  /** Null: nothing is fetched. */
  readonly webFetch: { readonly hosts: readonly string[] | null; readonly privateAddresses: boolean } | null;
}

export interface ToolLeave {
  readonly agent?: 'allow' | 'ask' | 'deny' | undefined;
  readonly user?: 'allow' | 'deny' | undefined;
}

export interface ReportTarget {
  readonly format: ReportFormat;
  /** Absolute. */
  readonly file: string;
}

/** The three limits of one agent turn (X001-10). */
export interface TurnLimits {
  readonly firstSignMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** How often an exchange may take each rung of the ladder, and how many attempts it has in all (X001-9). */
export interface Budgets {
  readonly repairing: number;
  readonly completing: number;
  readonly recontextualising: number;
  readonly shortening: number;
  readonly waiting: number;
  /** Reverse requests that are answered; a further one is a rejected answer. */
  readonly answering: number;
  /** Requests that were rejected or settled, in all. */
  readonly attempts: number;
}

export const defaultBudgets: Budgets = {
  repairing: 2,
  completing: 2,
  recontextualising: 1,
  shortening: 2,
  waiting: 3,
  answering: 3,
  attempts: 6,
};

/** What holds where neither a file nor a flag says anything. */
export const defaultSettings: Settings = {
  advisor: 'auto',
  lead: 'auto',
  verify: 'auto',
  allowStatic: false,
  onAdvisorFailure: 'stop',
  failOn: 'critical',
  allowEmpty: false,
  failOnEmpty: false,
  format: 'terminal',
  reports: [],
  focus: null,
  instructions: null,
  suppressions: null,
  include: [],
  exclude: [],
  language: null,
  timeLimitMs: null,
  budgetUsd: null,
  budgetTokens: null,
  budgetCalls: null,
  concurrency: 3,
  cache: true,
  chunkTokens: 24_000,
  limits: { firstSignMs: 30_000, idleMs: 300_000, totalMs: 1_800_000 },
  phaseLimits: {},
  budgets: defaultBudgets,
  waitsMs: [5000, 15_000, 45_000],
  providerPaths: null,
  providers: {},
  streamLimitSeconds: 300,
  tools: { policy: {}, webFetch: null },
};
