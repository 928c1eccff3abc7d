/** One row of the table of secrets. It decides what is masked (wide), what is reported (narrow) and who may reject it. */
export interface SecretShape {
  readonly rule: string;
  /** Source of a pattern. A line without it holds no such secret, so one search rules out most lines. */
  readonly hint: string;
  /**
   * Global and with indices, within one line, and never slow: every repetition is bounded or cannot overlap.
   * The secret is the group named `secret`, or else the whole match. A group named `before`, within a
   * lookbehind, is its beginning.
   */
  readonly shape: RegExp;
  /** A second check, if the shape alone would match ordinary code. */
  readonly isSecret?: (candidate: string, match: RegExpMatchArray) => boolean;
  /** Returns the severity in the rules' reports; null if it is only masked. */
  readonly report: (candidate: string, place: SecretPlace) => ReportedSeverity | null;
  readonly rejectable: Rejectable;
}

export type ReportedSeverity = 'critical' | 'important';

/** The ways to reject a finding, apart from the owner's suppressions: by no model, or by one that quotes contradicting code. */
export type Rejectable = 'never' | 'quoted_code';

export interface SecretPlace {
  /** True in a test or a fixture, which may hold made-up credentials. */
  readonly inTests: boolean;
  /** The text that follows the secret on its line. */
  readonly after: string;
}

/** Builds the row for one vendor's tokens: masked, reported as Critical everywhere, and rejected by no model. */
export function vendor(rule: string, hint: string, body: string): SecretShape {
  return {
    rule,
    hint,
    shape: new RegExp(`(?<![A-Za-z0-9])(?:${body})`, 'dg'),
    report: (candidate) => (isFiller(candidate) ? null : 'critical'),
    rejectable: 'never',
  };
}

/** Returns true if it is a documentation placeholder: one letter over and over, or the vendor's word for an example. */
export function isFiller(candidate: string): boolean {
  return /EXAMPLE|(.)\1{7}/.test(candidate);
}

/** `sk-fading-circle-12-delay-child` is a class name: words, not sixteen letters and digits in a row. */
export function hasRandomRun(candidate: string): boolean {
  const runs = candidate.match(/[A-Za-z0-9]{16,}/g) ?? [];
  return runs.some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
}
