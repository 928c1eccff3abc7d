/** The request of one review exchange: the purpose of the whole change, and the chunk to review. */
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { ConsultRequest, ContextPart } from '../request.ts';
import { checklistsFor, type Checklist } from './checklists.ts';
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
  /** The commit messages, in their authors' words; null if there are none. */
  readonly messages: string | null;
  /** Every changed path with its line counts, which shows the place of a chunk in the change. */
  readonly manifest: string;
}

const manifestTitle = 'All files of the change';
const messagesTitle = 'The messages of its commits';
/** Titles of the parts about the whole change, including the contents of other chunks. */
export const titlesOfWhole: ReadonlySet<string> = new Set([manifestTitle, messagesTitle]);

/** The brief of a change that is not known yet. */
export const noBrief: ReviewBrief = {
  subject: '',
  task: null,
  focus: null,
  instructions: null,
  language: null,
  checklists: [],
  messages: null,
  manifest: '',
};

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
    required: [
      ...trusted(taskHeading, brief.task),
      ...trusted('Instructions of the project', brief.instructions),
    ],
    optional: [
      { title: manifestTitle, text: brief.manifest, origin: 'foreign' },
      ...(brief.messages === null
        ? []
        : [{ title: messagesTitle, text: brief.messages, origin: 'foreign' } as const]),
      // The first part to be dropped if the prompt must be shorter (X001-10).
      ...(evidence === null ? [] : [{ title: evidenceTitle, text: evidence, origin: 'foreign' as const }]),
    ],
    change: files,
    language: brief.language,
  };
}

function trusted(title: string, text: string | null): readonly ContextPart[] {
  return text === null ? [] : [{ title, text, origin: 'trusted' }];
}

function question(brief: ReviewBrief): string {
  const task =
    'Review the change below. Report only problems that the changed lines cause or reveal, each with the lines it is about.';
  return brief.focus === null ? task : `${task}\nLook most carefully at: ${brief.focus}`;
}
