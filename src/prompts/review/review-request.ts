/** The request of one review exchange: the purpose of the whole change, and the chunk to review. */
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { ConsultRequest, ContextPart } from '../request.ts';
import { cutText } from './cut-text.ts';
import { checkReportsFor, type CheckReport } from './check-reports.ts';
import { checklistsFor, type Checklist } from './checklists.ts';
import { conventionsFor, type Convention } from './conventions.ts';
import type { KindToAvoid } from './dismissed-kinds.ts';
import { relatedTo, type RelatedFile } from './related-files.ts';
import { reviewGuide } from './review-guide.ts';
import { taskHeading } from '../task-heading.ts';
import { exchangeSpecOf, type SectionSpec } from '../../tags/tags.ts';

export interface ReviewBrief {
  /** One line that names the source of the change, e.g. "working tree against HEAD". */
  readonly subject: string;
  /** The purpose of the change, in the user's words; null if none is given. */
  readonly task: string | null;
  /** The area to look at, in the words of the user or the lead; null means anywhere. */
  readonly focus: string | null;
  /** The project's own review instructions, in the user's words; null if there are none. */
  readonly instructions: string | null;
  /** BCP 47 tag of the answer's language; null leaves it to the advisor. */
  readonly language: string | null;
  /** Sections that a skill requires in addition to the protocol's own; none by default. */
  readonly sections?: readonly SectionSpec[];
  /** The checklists for all languages of the change. */
  readonly checklists: readonly Checklist[];
  /** The repository's own rules from the base of the change. */
  readonly conventions: readonly Convention[];
  /** Title, description and issue of the pull request, in their authors' words; null if they are not given. */
  readonly pullRequest: string | null;
  /** Kinds of findings that people dismissed before; none by default. */
  readonly dismissed?: readonly KindToAvoid[];
  /** Unchanged files around the change. */
  readonly related: readonly RelatedFile[];
  /** Results of tests, types and linters. */
  readonly checks: readonly CheckReport[];
  /** Findings that the change is meant to fix, as text; null or absent if it fixes none. */
  readonly fixes?: string | null;
  /** The commit messages, in their authors' words; null if there are none. */
  readonly messages: string | null;
  /** Every changed path with its line counts, which shows the place of a chunk in the change. */
  readonly manifest: string;
}

const manifestTitle = 'All files of the change';
const messagesTitle = 'The messages of its commits';
const pullRequestTitle = 'The text of the pull request';
/** Titles of the parts about the whole change, including the contents of other chunks. */
export const titlesOfWhole: ReadonlySet<string> = new Set([manifestTitle, messagesTitle, pullRequestTitle]);

/** The brief of a change that is not known yet. */
export const noBrief: ReviewBrief = {
  subject: '',
  task: null,
  focus: null,
  instructions: null,
  language: null,
  checklists: [],
  conventions: [],
  pullRequest: null,
  checks: [],
  related: [],
  messages: null,
  manifest: '',
};

const fixesTitle = 'Findings that the change is meant to fix';
const evidenceTitle = 'Rules without a model: their findings, which are already reported';

/**
 * Builds the request. `evidence` is the findings of rules in these files; null if they found nothing or did not run.
 */
export function reviewRequest(
  brief: ReviewBrief,
  files: readonly DiffFile[],
  evidence: string | null = null,
): ConsultRequest {
  const spec = exchangeSpecOf('[REQUEST:REVIEW]');
  return {
    tag: spec.request,
    question: question(brief),
    sections: [...spec.sections, ...(brief.sections ?? [])],
    guide: reviewGuide,
    checklists: checklistsFor(files, brief.checklists),
    conventions: conventionsFor(files, brief.conventions),
    dismissed: brief.dismissed ?? [],
    required: [
      ...trusted(taskHeading, brief.task),
      ...trusted('Instructions of the project', brief.instructions),
      ...foreign(fixesTitle, brief.fixes ?? null),
    ],
    optional: [
      ...foreign(manifestTitle, brief.manifest),
      ...foreign(pullRequestTitle, inShort(brief.pullRequest)),
      ...foreign(messagesTitle, brief.messages),
      ...checkReportsFor(files, brief.checks).flatMap(({ name, text }) =>
        foreign(`Results of a check: ${name}`, text),
      ),
      // The first part to be dropped if the prompt must be shorter (X001-10).
      ...foreign(evidenceTitle, evidence),
    ],
    change: files,
    related: relatedTo(files, brief.related),
    language: brief.language,
  };
}

function inShort(text: string | null): string | null {
  return text === null ? null : cutText(text, mostPullRequestBytes);
}

/** In one request. */
const mostPullRequestBytes = 12 * 1024;

function trusted(title: string, text: string | null): readonly ContextPart[] {
  return text === null ? [] : [{ title, text, origin: 'trusted' }];
}

function foreign(title: string, text: string | null): readonly ContextPart[] {
  return text === null ? [] : [{ title, text, origin: 'foreign' }];
}

function question(brief: ReviewBrief): string {
  const task =
    'Review the change below. Report only problems that the changed lines cause or reveal, each with the lines it is about.';
  if (typeof brief.fixes === 'string') return `${task}\n${aboutFixes}`;
  return brief.focus === null ? task : `${task}\nLook most carefully at: ${brief.focus}`;
}

const aboutFixes =
  'The change fixes findings of an earlier review; they are listed below. For each of them, judge whether its problem is gone. Report a problem that is still there again, with the lines as they are now, even if those lines did not change. Also report every problem that the fix causes.';
