/** A request to the advisor as a value. `prompts/` renders it; no other module depends on its text. */
import type { Checklist } from './review/checklists.ts';
import type { Convention } from './review/conventions.ts';
import type { KindToAvoid } from './review/dismissed-kinds.ts';
import type { ReviewPass } from './review/passes.ts';
import type { DiffFile, LineRange } from '../parsers/diff/types.ts';
import type { Severity } from '../tags/severities.ts';
import type { RequestTag, SectionSpec } from '../tags/tags.ts';

export interface ConsultRequest {
  readonly tag: RequestTag;
  /** The lead's question; for a review, the subject of the change and the focus. */
  readonly question: string;
  /** The answer's sections, in order, all required: the protocol's own, then those that a skill adds. */
  readonly sections: readonly SectionSpec[];
  /** Our own words about the task, the same in every request of its kind; dropped after the checklists. */
  readonly guide?: string;
  /** Checklists for the languages of `change`; dropped before any context if the prompt must be shorter. */
  readonly checklists?: readonly Checklist[];
  /** The repository's own rules, which are the same in many requests; dropped after the checklists. */
  readonly conventions?: readonly Convention[];
  /** Kinds of findings that people dismissed, the same in all requests of a run; dropped after the conventions. */
  readonly dismissed?: readonly KindToAvoid[];
  /** Context that is never dropped: instructions of the project, the task. */
  readonly required: readonly ContextPart[];
  /** Context that shortening may drop, least important last. */
  readonly optional: readonly ContextPart[];
  /** The files under review, with whole hunks; null if the exchange is about no change. */
  readonly change: readonly DiffFile[] | null;
  /** For an advisor that is rules only: what they found in `change` already. Never part of a prompt. */
  readonly found?: readonly FoundByRule[];
  /** Unchanged files around the change, shown after it; dropped first. */
  readonly related?: readonly ContextPart[];
  /** The pass of a deep review that it belongs to; absent if there is only one pass. */
  readonly pass?: ReviewPass;
  /** The answer's language as a BCP 47 tag; null leaves it to the advisor (X001-16). */
  readonly language: string | null;
}

export interface ContextPart {
  readonly title: string;
  readonly text: string;
  /** `trusted`: requests of the user or the project; `foreign` text is declared data (X001-14). Both are fenced. */
  readonly origin: 'trusted' | 'foreign';
}

/** A rendered request: the sent text, and the lines of the change in it. */
export interface RenderedPrompt {
  readonly text: string;
  readonly shown: readonly LineRange[];
}

/** A finding of a rule; `quote` is masked. */
export interface FoundByRule {
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
  readonly path: string;
  readonly side: 'new' | 'old';
  readonly startLine: number;
  readonly endLine: number;
  readonly quote: string;
}
