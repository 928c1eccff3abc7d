/** Renders a finding as a comment on its lines. Foreign text cannot link, notify or inject HTML. */
import type { Finding } from '../../events/collab-event.ts';
import { detailBlocks, findingBlocks, findingLine } from '../reports/markdown-finding.ts';
import { gradeHead } from '../reports/counted-findings.ts';
import { foreignText, type Block } from '../transcript/foreign-markdown.ts';
import { paragraph, renderDocument, strong, text } from '../transcript/markdown-nodes.ts';

export interface CommentBodyOptions {
  /** The number by which commands name the finding. */
  readonly number: number;
  /** The information string of a suggestion block; null: the replacement is shown as code, if there is one. */
  readonly suggestion: string | null;
  /** True if the comment is not on the finding's lines: it names the place and quotes the lines. */
  readonly isAway: boolean;
}

export interface CommentBody {
  readonly text: string;
  /** False for a text that is too long to be shown with its suggestion. */
  readonly hasSuggestion: boolean;
}

/** GitHub accepts 65,536 characters, and the comment has a mark. */
const longestBody = 50_000;

export function renderCommentBody(
  finding: Finding,
  { number, suggestion, isAway }: CommentBodyOptions,
): CommentBody {
  const isSuggested = !isAway && suggestion !== null && finding.replacement !== undefined;
  const whole = renderDocument(
    isAway ? findingBlocks(finding, number) : [titleOf(finding, number), ...detailsOf(finding, suggestion)],
  );
  if (whole.length <= longestBody) return { text: whole, hasSuggestion: isSuggested };
  const note = paragraph([text('Its text is too long for a comment; the JSON report has it.')]);
  return { text: renderDocument([findingLine(finding), note]), hasSuggestion: false };
}

function titleOf(finding: Finding, number: number): Block {
  return paragraph([
    text(`F${number} `),
    strong(text(`${gradeHead(finding)}:`)),
    text(' '),
    ...foreignText(finding.title),
  ]);
}

function detailsOf(finding: Finding, suggestion: string | null): readonly Block[] {
  const { replacement, ...others } = finding;
  if (suggestion === null || replacement === undefined) return detailBlocks(finding);
  return [...detailBlocks(others), { type: 'code', lang: suggestion, value: replacement }];
}
