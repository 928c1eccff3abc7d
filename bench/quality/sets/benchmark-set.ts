/** The one form that all benchmark sets are read into. */

export interface KnownFault {
  /** Unique in its change. */
  readonly id: string;
  readonly text: string;
  /** Null if the set does not say it. */
  readonly path: string | null;
  /** Null if the set does not say it; always together with `end_line`. */
  readonly start_line: number | null;
  readonly end_line: number | null;
  readonly side: 'new' | 'old';
  /** The severities that fit, in our words; empty if the set has none. */
  readonly severity: readonly string[];
  /** In lower case: one of them is in a finding about this fault; empty if the set has none. */
  readonly words: readonly string[];
}

/** The text of a change: a diff file, or two commits of a clone. */
export type ChangeSource =
  | { readonly kind: 'diff'; readonly file: string }
  | { readonly kind: 'commits'; readonly clone: string; readonly base: string; readonly head: string };

export interface SetChange {
  /** Unique in its set; also the name of its diff. */
  readonly name: string;
  /** Null if the set names a change whose diff the user has not fetched. */
  readonly source: ChangeSource | null;
  readonly faults: readonly KnownFault[];
}

export interface BenchmarkSet {
  readonly format: string;
  readonly changes: readonly SetChange[];
}

/** A set that cannot be read, or arguments that do not fit. Ends the program with 2. */
export class QualityError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
