/**
 * A request to start a run, however it was made: flags, HTTP fields, a line of a conversation. A key has one meaning
 * in all of them, and that of the configuration: `fail_on` is `--fail-on`. A key without a value leaves the choice to
 * the defaults and the configuration.
 */
import type { FlagWords } from '../../config/settings-table.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import type { Priority } from '../../tags/priorities.ts';
import type { consultPhases, Phase } from '../../tags/tags.ts';

export type StartRequest = ReviewStart | WorkflowStart | FixStart | ConsultStart;

export interface ReviewStart extends FlagWords<'review'>, ConfigurationFiles {
  readonly kind: 'review';
  /** The changes that are named; none: the working tree. More than one is a contradiction. */
  readonly changes: readonly NamedChange[];
  /** Files and folders, relative to the folder of the request: all others are left out. */
  readonly paths?: readonly string[] | undefined;
  /** Asks the user the advisor's reverse requests. */
  readonly ask?: boolean | undefined;
  readonly baseline?: string | undefined;
  /** The text of the pull request: a path, or `-` for standard input. */
  readonly pr_text?: string | undefined;
  /** Reports of checks: paths, or `-` for standard input. */
  readonly evidence?: readonly string[] | undefined;
  /** Findings of other tools in SARIF: paths, or `-` for standard input. */
  readonly imports?: readonly string[] | undefined;
  /** The place in the queue of workers; ignored for a run that no queue holds. */
  readonly priority?: Priority | undefined;
}

export interface WorkflowStart extends FlagWords<'run'>, ConfigurationFiles {
  readonly kind: 'run';
  readonly task?: string | undefined;
  /** A path, or `-` for standard input. */
  readonly task_file?: string | undefined;
  readonly phases?: readonly Phase[] | undefined;
  /** Accepts every gate. */
  readonly yes?: boolean | undefined;
  readonly max_review_rounds?: number | undefined;
  readonly skill?: string | undefined;
  readonly apply?: boolean | undefined;
  /** The place in the queue of workers; ignored for a run that no queue holds. */
  readonly priority?: Priority | undefined;
}

/** Fixes findings of an earlier run. */
export interface FixStart extends FlagWords<'fix'>, ConfigurationFiles {
  readonly kind: 'fix';
  /** The run whose findings they are; default: the newest. */
  readonly run?: string | undefined;
  /** A saved result instead of a run: a path. */
  readonly from?: string | undefined;
  /** The findings, as a person names them: `2`, `F2`, digits of an identity. */
  readonly findings?: readonly string[] | undefined;
  /** All Critical findings that count. */
  readonly all_critical?: boolean | undefined;
  /** Asks nothing; applies nothing without `apply`. */
  readonly yes?: boolean | undefined;
  readonly max_review_rounds?: number | undefined;
  readonly apply?: boolean | undefined;
}

export interface ConsultStart extends FlagWords<'consult'>, ConfigurationFiles {
  readonly kind: 'consult';
  readonly phase: (typeof consultPhases)[number];
  readonly brief?: string | undefined;
  /** The brief in a file: a path, or `-` for standard input. */
  readonly file?: string | undefined;
  /** The id of an earlier run whose conversation it continues. */
  readonly run?: string | undefined;
  readonly ask?: boolean | undefined;
  /** The place in the queue of workers; ignored for a run that no queue holds. */
  readonly priority?: Priority | undefined;
}

/** A change as git reads it, or the argument of a command line: `-`, a diff file, a range, a pull request, a name. */
export type NamedChange = ChangeRequest | { readonly kind: 'argument'; readonly words: string };

interface ConfigurationFiles {
  readonly config?: string | undefined;
  /** A commit whose files are read instead of the working tree's. */
  readonly config_from?: string | undefined;
}

/** The owner's choices for what a request leaves out, such as the flags of a server. */
export interface StartDefaults extends FlagWords<'chat'>, ConfigurationFiles {
  readonly skill?: string | undefined;
}
