/** The request of one review exchange: what the whole change is about, and the chunk to look at. */
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { ConsultRequest, ContextPart } from '../../prompts/request.ts';
import { exchangeSpecOf, type SectionSpec } from '../../tags/tags.ts';

export interface ReviewBrief {
  /** One line: what was taken, e.g. "working tree against HEAD". */
  readonly subject: string;
  /** What the change was made for, in the words of the user; null where nobody says. */
  readonly task: string | null;
  /** Where to look, in the words of the user or the lead; null: anywhere. */
  readonly focus: string | null;
  /** The project's own review instructions, the user's words; null where there are none. */
  readonly instructions: string | null;
  /** BCP 47 tag of the answer's language; null leaves it to the advisor. */
  readonly language: string | null;
  /** Sections that a skill requires besides the protocol's own; none where nothing is said. */
  readonly sections?: readonly SectionSpec[];
  /** Of the commits, in their authors' words; null where nobody wrote one. */
  readonly messages: string | null;
  /** Every changed path with its line counts, so that a chunk is seen in its place. */
  readonly manifest: string;
}

const manifestTitle = 'All files of the change';
const messagesTitle = 'The messages of its commits';
/** Of the parts about the whole change, what other chunks hold included. */
export const titlesOfWhole: ReadonlySet<string> = new Set([manifestTitle, messagesTitle]);

/** Of a change that is not known yet. */
export const noBrief: ReviewBrief = {
  subject: '',
  task: null,
  focus: null,
  instructions: null,
  language: null,
  messages: null,
  manifest: '',
};

/** Nobody has looked whether it is true: the advisor judges it as it judges the change. */
const evidenceTitle = 'Rules without a model: what they found, not yet judged by anybody';

/** `evidence` is what rules found in these files; null where they found nothing, or did not look. */
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
    required: [
      ...trusted('The task, in the words of the user', brief.task),
      ...trusted('Instructions of the project', brief.instructions),
    ],
    optional: [
      { title: manifestTitle, text: brief.manifest, origin: 'foreign' },
      ...(brief.messages === null
        ? []
        : [{ title: messagesTitle, text: brief.messages, origin: 'foreign' } as const]),
      // The first to go where the prompt must be shorter (X001-10).
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
  return brief.focus === null ? task : `${task}\nLook above all at: ${brief.focus}`;
}
