/** The settings of a run, from `collab.config.yaml` and the flags; flags win. */
import type { Phase, Severity } from '../tags/tags.ts';
import { overloadedWaitsMs, streamLimitSeconds, turnLimits } from './waits.ts';

export const reportFormats = ['terminal', 'json', 'markdown', 'sarif', 'rdjson', 'github', 'gitlab'] as const;
/** `default`: rules that are right about real changes. `all`: every rule. */
export const ruleSets = ['default', 'all'] as const;
export type RuleSet = (typeof ruleSets)[number];

export type ReportFormat = (typeof reportFormats)[number];

/** A consult answers in sections; the other formats are for findings. */
export const consultFormats = ['terminal', 'json', 'markdown'] as const satisfies readonly ReportFormat[];
export type ConsultFormat = (typeof consultFormats)[number];

/** The highest values of limits, wherever they are set. */
export const most = {
  concurrency: 64,
  budgetTokens: 1_000_000_000_000,
  budgetCalls: 100_000,
  reviewRounds: 20,
} as const;

export interface Settings {
  /** `auto`, `<provider>` or `<provider>:<model>`. */
  readonly advisor: string;
  /** `auto`, `caller`, `none`, `<provider>` or `<provider>:<model>`. */
  readonly lead: string;
  /** The lead checks Critical and Important findings of a review; `auto`: if there is a lead that can. */
  readonly verify: boolean | 'auto';
  readonly allowStatic: boolean;
  /** A lead continues after a consult without an answer; the outcome reports it. */
  readonly onAdvisorFailure: 'stop' | 'continue';
  readonly failOn: Severity | 'never';
  readonly allowEmpty: boolean;
  readonly failOnEmpty: boolean;
  readonly rules: RuleSet;
  readonly format: ReportFormat;
  readonly reports: readonly ReportTarget[];
  readonly focus: string | null;
  /** Absolute path of a text file. */
  readonly instructions: string | null;
  /** Absolute path of the suppression file. */
  readonly suppressions: string | null;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** BCP 47; null lets the advisor choose. */
  readonly language: string | null;
  /** For the whole run; null for the limit that follows from its size. */
  readonly timeLimitMs: number | null;
  /** For all calls of a run, in US dollars; null for no limit. */
  readonly budgetUsd: number | null;
  /** For all calls of a run, in tokens of every kind; null for no limit. */
  readonly budgetTokens: number | null;
  /** Agent calls of a run, including repeated and lost ones; null for no limit. */
  readonly budgetCalls: number | null;
  readonly concurrency: number;
  /** A review reuses answers of earlier runs for unchanged chunks, and stores its own. */
  readonly cache: boolean;
  /** Diff bytes ÷ 4 in one exchange. */
  readonly chunkTokens: number;
  /** For a turn in a phase without limits of its own. */
  readonly limits: TurnLimits;
  /** Complete: a phase takes what it does not set from `limits`. A plain review belongs to the phase `review`. */
  readonly phaseLimits: Readonly<Partial<Record<Phase, TurnLimits>>>;
  readonly budgets: Budgets;
  /** Waits before the first, second … repeat of an overloaded call if the provider gives no time. */
  readonly waitsMs: readonly number[];
  /** Absolute paths of folders that hold third-party providers, one folder each; null for the default, `ai_client`. */
  readonly providerPaths: readonly string[] | null;
  /** Keyed by provider; the inner keys are the provider's own. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** For one streamed turn of a conversation on a server; null for no limit. */
  readonly streamLimitSeconds: number | null;
  readonly tools: ToolSettings;
}

/** The settings of a conversation's tools. */
export interface ToolSettings {
  /** Keyed by tool name, by group (`git.*`) or for all (`*`). */
  readonly policy: Readonly<Record<string, ToolLeave>>;
  /** Settings of `web.fetch`; null turns it off. */
  readonly webFetch: { readonly hosts: readonly string[] | null; readonly privateAddresses: boolean } | null;
}

export interface ToolLeave {
  readonly agent?: 'allow' | 'ask' | 'deny' | undefined;
  readonly user?: 'allow' | 'deny' | undefined;
}

export interface ReportTarget {
  readonly format: ReportFormat;
  /** Absolute path. */
  readonly file: string;
}

/** The limits of one agent turn (X001-10). */
export interface TurnLimits {
  /** Until the agent has answered and started the turn. */
  readonly firstSignMs: number;
  /** From a request to the model until something of its answer comes. */
  readonly firstByteMs: number;
  /** Without any event. */
  readonly idleMs: number;
  /** In total; extended once by half if events still arrive. */
  readonly totalMs: number;
}

/** How often an exchange may use each rung of the ladder, and how many attempts it has in all (X001-9). */
export interface Budgets {
  readonly repairing: number;
  readonly completing: number;
  readonly recontextualising: number;
  readonly shortening: number;
  readonly waiting: number;
  /** Reverse requests that are answered; one more is a rejected answer. */
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

/** The settings if neither a file nor a flag sets them. */
export const defaultSettings: Settings = {
  advisor: 'auto',
  lead: 'auto',
  verify: 'auto',
  allowStatic: false,
  onAdvisorFailure: 'stop',
  failOn: 'critical',
  allowEmpty: false,
  failOnEmpty: false,
  rules: 'default',
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
  limits: turnLimits,
  phaseLimits: {},
  budgets: defaultBudgets,
  waitsMs: overloadedWaitsMs,
  providerPaths: null,
  providers: {},
  streamLimitSeconds,
  tools: { policy: {}, webFetch: null },
};
