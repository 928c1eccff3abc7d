/** The results of the answer parsers. Parsers are total: any string gives a value, none throws. */
import type { ClaimClass } from '../../tags/claims.ts';
import type { Severity } from '../../tags/severities.ts';
import type { AnswerTag, ReverseTag, Tag } from '../../tags/tags.ts';

/** 1-based source lines of the answer, both ends included. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** The reason that a tag in the text does not count as a marker. */
export type DiscountCause =
  | 'code_fence'
  | 'quote'
  | 'list'
  | 'html'
  | 'inline_code'
  | 'link_title'
  | 'image'
  | 'lazy_continuation'
  | 'inside_details'
  | 'prose';

export interface Section {
  /** The English constant, e.g. `RISKS`. */
  readonly name: string;
  /** Byte for byte from its first to its last non-blank line, without the heading; repeated sections are joined. */
  readonly text: string;
  /** `empty` is "None", "N/A", "なし", "特になし" or "-": present, with nothing in it (X001-4). */
  readonly state: 'filled' | 'empty';
  readonly span: LineSpan;
}

/** One protocol block: from a marker to the next one or the end. */
export interface AnswerBlock {
  readonly tag: Tag;
  readonly lenient: boolean;
  readonly preamble: string;
  readonly sections: readonly Section[];
  readonly missing: readonly string[];
  readonly extraSections: readonly string[];
  readonly span: LineSpan;
  /** Set if the closing line of the form ends it. */
  readonly closed?: true;
  /** The text after the closing line: part of no section. */
  readonly epilogue?: string;
}

export interface ReverseRequest {
  readonly tag: ReverseTag;
  readonly text: string;
}

export interface ReviewIssue {
  readonly severity: Severity;
  readonly severityInferred: boolean;
  readonly title: string;
  /** Claim and reasons, in Markdown, without the quotation and the remedy. */
  readonly text: string;
  /** The path as in the answer; both lines or none: `src/a.ts:41` starts and ends at 41. */
  readonly location: {
    readonly path: string;
    readonly startLine: number | null;
    readonly endLine: number | null;
  } | null;
  /** Lines copied from the change; `old` if they were copied with a leading `-`. */
  readonly quote: {
    readonly text: string;
    readonly side: 'new' | 'old';
    /** The lines with the `-` or `+` that `text` lacks, unless a `diff` fence says that it is a mark. */
    readonly literal?: string;
  } | null;
  readonly remedy: string | null;
  /** The kind of damage; absent if the answer names none of the set. */
  readonly claim?: ClaimClass;
  /** The text instead of exactly the quoted lines; an empty text removes them. */
  readonly replacement?: string;
}

/** A malformed section, with a description of the fault that fits "…: <detail>". */
export interface Malformation {
  readonly section: string;
  readonly detail: string;
}

/** The result of reading an answer against the expected tag. */
export type Reading =
  | {
      readonly kind: 'whole';
      readonly block: AnswerBlock;
      readonly issues: readonly ReviewIssue[] | null;
      readonly preamble: string;
      /** Set if a whole answer also has a reverse request (X001-7). */
      readonly reverse?: ReverseRequest;
    }
  | { readonly kind: 'incomplete'; readonly block: AnswerBlock; readonly missing: readonly string[] }
  | {
      readonly kind: 'malformed';
      readonly block: AnswerBlock;
      readonly malformations: readonly Malformation[];
      /** Set if `block` and a later one disagree: it has findings and the later one has none. */
      readonly disagree?: true;
    }
  | { readonly kind: 'marker_absent'; readonly causes: readonly DiscountCause[] }
  | { readonly kind: 'other_tag'; readonly found: AnswerTag; readonly block: AnswerBlock }
  | { readonly kind: 'reverse_request'; readonly request: ReverseRequest }
  | { readonly kind: 'empty' }
  /** `problem` fits "the answer …". */
  | { readonly kind: 'too_large'; readonly problem: string };
