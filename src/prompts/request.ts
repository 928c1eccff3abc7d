/** A request to the advisor as a value. `prompts/` renders it; nothing else knows its text (DESIGN §2). */
import type { DiffFile, LineRange } from '../parsers/diff/types.ts';
import type { RequestTag, SectionSpec } from '../tags/tags.ts';

export interface ConsultRequest {
  readonly tag: RequestTag;
  /** What the lead wants to know; for a review what the change is about and where to look. */
  readonly question: string;
  /** The answer's sections, in order, all required: the protocol's own, then those that a skill adds. */
  readonly sections: readonly SectionSpec[];
  /** Context that is never dropped: instructions of the project, the task. */
  readonly required: readonly ContextPart[];
  /** Context that shortening may drop, least important last. */
  readonly optional: readonly ContextPart[];
  /** The files under review, whole hunks; null where the exchange is about no change. */
  readonly change: readonly DiffFile[] | null;
  /** The answer's language as a BCP 47 tag; null leaves it to the advisor (X001-16). */
  readonly language: string | null;
}

export interface ContextPart {
  readonly title: string;
  readonly text: string;
  /** `trusted`: what the user or the project wants; `foreign` text is declared data (X001-14). Both are fenced. */
  readonly origin: 'trusted' | 'foreign';
}

/** A rendered request: the text that is sent, and the lines of the change that are in it. */
export interface RenderedPrompt {
  readonly text: string;
  readonly shown: readonly LineRange[];
}
