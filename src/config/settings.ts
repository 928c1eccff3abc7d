/** The values of settings that have a type of their own. `settings-table.ts` has the settings. */
import type { ReportFormat } from '../views/reports/report-formats.ts';

/** `default`: rules that are right about real changes. `all`: every rule. */
export const ruleSets = ['default', 'all'] as const;
export type RuleSet = (typeof ruleSets)[number];

/** The highest number of reviews of a run, wherever it is set. */
export const mostReviewRounds = 20;

/** The settings of a conversation's tools. */
export interface ToolSettings {
  /** Keyed by tool name, by group (`git.*`) or for all (`*`). */
  readonly policy: Readonly<Record<string, ToolLeave>>;
  /** Settings of `web.fetch`; null turns it off. */
  readonly web_fetch: {
    readonly hosts: readonly string[] | null;
    readonly private_addresses: boolean;
  } | null;
}

export interface ToolLeave {
  readonly agent?: 'allow' | 'ask' | 'deny' | undefined;
  readonly user?: 'allow' | 'deny' | undefined;
}

/** Keyed by provider; the inner keys are the provider's own. */
export type ProviderSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface ReportTarget {
  readonly format: ReportFormat;
  /** Absolute path, inside the program. */
  readonly file: string;
}

/** The limits of one agent turn (X001-10). */
export interface TurnLimits {
  /** Until the agent has answered and started the turn. */
  readonly firstSignMs: number;
  /** From a request to the model until the first part of its answer arrives. */
  readonly firstByteMs: number;
  /** Without any event. */
  readonly idleMs: number;
  /** In total; extended once by half if events still arrive. */
  readonly totalMs: number;
}
