/**
 * A request to start a run, however it was made: flags, fields of HTTP, a line of a conversation. A key has one meaning in all of
 * them: `failOn` is `--fail-on` and `fail_on`. A key without a value leaves the choice to the defaults and the configuration.
 */
import type { ReportTarget, RuleSet } from '../../config/settings.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import type { consultPhases, Phase, Severity } from '../../tags/tags.ts';

export type StartRequest = ReviewStart | WorkflowStart | ConsultStart;

export interface ReviewStart extends PairChoices, RunLimits, ConfigurationFiles {
  readonly kind: 'review';
  /** The changes that are named; none: the working tree. More than one is a contradiction. */
  readonly changes: readonly NamedChange[];
  /** Puts what the advisor asks back to the user. */
  readonly ask?: boolean | undefined;
  readonly verify?: boolean | undefined;
  readonly allowStatic?: boolean | undefined;
  readonly failOn?: Severity | 'never' | undefined;
  readonly allowEmpty?: boolean | undefined;
  readonly failOnEmpty?: boolean | undefined;
  readonly rules?: RuleSet | undefined;
  readonly report?: readonly ReportTarget[] | undefined;
  readonly focus?: string | undefined;
  readonly instructions?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly suppressions?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly cache?: boolean | undefined;
}

export interface WorkflowStart extends PairChoices, RunLimits, ConfigurationFiles {
  readonly kind: 'run';
  readonly task?: string | undefined;
  /** A path, or `-` for standard input. */
  readonly taskFile?: string | undefined;
  readonly phases?: readonly Phase[] | undefined;
  /** Accepts every gate. */
  readonly yes?: boolean | undefined;
  readonly maxReviewRounds?: number | undefined;
  readonly skill?: string | undefined;
  readonly apply?: boolean | undefined;
  readonly failOn?: Severity | 'never' | undefined;
  readonly report?: readonly ReportTarget[] | undefined;
  readonly instructions?: string | undefined;
  readonly concurrency?: number | undefined;
}

export interface ConsultStart extends Omit<PairChoices, 'lead'>, RunLimits, ConfigurationFiles {
  readonly kind: 'consult';
  readonly phase: (typeof consultPhases)[number];
  readonly brief?: string | undefined;
  /** The brief in a file: a path, or `-` for standard input. */
  readonly file?: string | undefined;
  /** The id of an earlier run whose conversation it continues. */
  readonly run?: string | undefined;
  readonly ask?: boolean | undefined;
}

/** A change as git reads it, or the argument of a command line: `-`, a diff file or a range. */
export type NamedChange = ChangeRequest | { readonly kind: 'argument'; readonly words: string };

interface PairChoices {
  /** `auto` or `provider[:model]`. */
  readonly advisor?: string | undefined;
  /** `auto`, `caller`, `none` or `provider[:model]`. */
  readonly lead?: string | undefined;
  readonly language?: string | undefined;
}

interface RunLimits {
  /** In milliseconds. */
  readonly timeLimit?: number | undefined;
  readonly budgetUsd?: number | undefined;
  readonly budgetTokens?: number | undefined;
  readonly budgetCalls?: number | undefined;
}

interface ConfigurationFiles {
  readonly config?: string | undefined;
  /** A commit whose files are read instead of the working tree's. */
  readonly configFrom?: string | undefined;
}

/** The owner's choices for what a request leaves out, such as the flags of a server. */
export type StartDefaults = Partial<PairChoices & RunLimits & ConfigurationFiles> & {
  readonly skill?: string | undefined;
};
