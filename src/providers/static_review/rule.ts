/** What a rule of `static_review` is: data, and a match that says where it applies. */
import type { NapiConfig, SgNode } from '@ast-grep/napi';
import type { Severity } from '../../tags/tags.ts';
import type { Hunk } from '../../parsers/diff/types.ts';
import type { Language } from './language.ts';

export interface Rule {
  /** Kebab-case, unique, stable: it stands in every finding. */
  readonly name: string;
  readonly severity: Severity;
  readonly title: string;
  /** What goes wrong, in one sentence. */
  readonly why: string;
  /** What to write instead, in one sentence. */
  readonly fix: string;
  /** Test files may do what this rule forbids elsewhere. */
  readonly exemptTests?: boolean;
  /** Paths that may do what this rule forbids elsewhere. */
  readonly exemptPaths?: RegExp;
  readonly matches: readonly Match[];
}

export type Match = SyntaxMatch | TextMatch | ChangeMatch;

/** Matches nodes of the syntax tree of a hunk's new side; JavaScript, TypeScript and TSX. */
export interface SyntaxMatch {
  readonly kind: 'syntax';
  /** Default: every language with a grammar; a kind that a grammar does not know is an error of ast-grep. */
  readonly languages?: readonly Language[];
  /** A text without this has no such node: the tree, which costs far more, is not searched. */
  readonly mentions: RegExp;
  readonly config: NapiConfig;
  /** What the pattern language cannot say. */
  readonly when?: (node: SgNode) => boolean;
}

/** Matches single added lines. */
export interface TextMatch {
  readonly kind: 'text';
  readonly languages: readonly Language[] | 'any' | 'code';
  readonly pattern: RegExp;
  readonly unless?: RegExp;
  /** `skip`: a line that is only a comment does not count (default); `only`: nothing but comments; `any`: both. */
  readonly comments?: 'skip' | 'only' | 'any';
}

/** Looks at what a hunk takes away and what it puts there. */
export interface ChangeMatch {
  readonly kind: 'change';
  readonly languages: readonly Language[] | 'any' | 'code';
  readonly find: (hunk: Hunk, elsewhere: Elsewhere) => readonly ChangeHit[];
}

/** What the change adds elsewhere, so that moved code is not taken for removed code. */
export interface Elsewhere {
  readonly inFile: readonly string[];
  readonly inChange: readonly string[];
}

export interface ChangeHit {
  readonly side: 'new' | 'old';
  readonly line: number;
}
