/** A rule of `static_review`: data, and a match that decides if it applies. */
import type { NapiConfig, SgNode } from '@ast-grep/napi';
import type { Severity } from '../../tags/severities.ts';
import type { Hunk } from '../../parsers/diff/types.ts';
import type { Language } from '../../parsers/languages/language.ts';

export interface Rule {
  /** Kebab-case, unique, stable: every finding contains it. */
  readonly name: string;
  readonly severity: Severity;
  readonly title: string;
  /** The problem, in one sentence. */
  readonly why: string;
  /** The remedy, in one sentence. */
  readonly fix: string;
  /** Left out of the default set, because on real changes it is too often irrelevant. `--rules all` includes it. */
  readonly onRequest?: boolean;
  /** Exempts test files, and the tests within other files. */
  readonly exemptTests?: boolean;
  /** Exempts these paths. */
  readonly exemptPaths?: RegExp;
  readonly matches: readonly RuleMatcher[];
}

export type RuleMatcher = SyntaxMatch | TextMatch | ChangeMatch;

/** Matches nodes of the syntax tree of a file's new side; JavaScript, TypeScript and TSX. */
export interface SyntaxMatch {
  readonly kind: 'syntax';
  /** Default: every language with a grammar; ast-grep rejects a kind that a grammar does not know. */
  readonly languages?: readonly Language[];
  /** A text without this has no such node, so its tree is not searched, which would cost far more. */
  readonly mentions: RegExp;
  readonly config: NapiConfig;
  /** A condition that the pattern language cannot express. */
  readonly when?: (node: SgNode) => boolean;
}

/** Matches single added lines. */
export interface TextMatch {
  readonly kind: 'text';
  readonly languages: readonly Language[] | 'any' | 'code';
  readonly pattern: RegExp;
  readonly unless?: RegExp;
  /** A condition that a pattern for one line cannot express. */
  readonly when?: (place: LinePlace) => boolean;
  /** `skip`: ignores comments (default); `only`: reads only comments; `any`: reads both. */
  readonly comments?: 'skip' | 'only' | 'any';
  /** `read`: a match may begin inside a string. Default: it begins in code, or with a quote. */
  readonly strings?: 'read';
}

/** A line, counted from 0, in the text of its file or hunk. */
export interface LinePlace {
  readonly texts: readonly string[];
  readonly index: number;
}

/** Matches a hunk's removed lines together with its added ones. */
export interface ChangeMatch {
  readonly kind: 'change';
  readonly languages: readonly Language[] | 'any' | 'code';
  readonly find: (hunk: Hunk, elsewhere: Elsewhere) => readonly ChangeHit[];
}

/** The change's other added lines, so that moved code does not count as removed. */
export interface Elsewhere {
  readonly inFile: readonly string[];
  readonly inChange: readonly string[];
}

export interface ChangeHit {
  readonly side: 'new' | 'old';
  readonly line: number;
}
