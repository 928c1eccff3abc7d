/** Messages to a thread that already contains the request: each names the problem and asks only for its repair. */
import type { DiscountCause, Malformation, ReverseRequest } from '../../parsers/answers/answer-types.ts';
import { closingLine, hasClosingLine } from '../../tags/closing-line.ts';
import { exchangeSpecOf, reverseSpecOf, type AnswerSpec, type ReverseTag } from '../../tags/tags.ts';
import { answerForm } from '../answer-form.ts';
import { codeSpan, createFences } from '../fence.ts';
import { renderRequest, type RenderOptions } from '../render-request.ts';
import type { ConsultRequest, RenderedPrompt } from '../request.ts';

export interface RepairOptions {
  readonly causes: readonly DiscountCause[];
  readonly note?: StructureNote | null;
  readonly closing?: string | null;
}

/** A reason for asking for the structure other than the marker's place. */
export type StructureNote = keyof typeof structureNotes;

const structureNotes = {
  empty: 'your last answer was empty',
  too_large: 'your last answer was larger than 256 KiB or had more than 10,000 lines',
  unread: 'your last answer was too long to be read in time',
  asked_too_often: 'no further question can be answered in this exchange; decide with what you have',
  off_subject: 'your last answer was about something else',
  echo: 'your last answer only repeated lines of the material under review',
} as const;

/** Marker absent (R001-13): asks for the structure again. */
export function renderRepair(
  spec: AnswerSpec,
  { causes, note = null, closing = null }: RepairOptions,
): string {
  const why = [...new Set(causes)].map((cause) => ` ${causeSentences[cause]}`).join('');
  return paragraphs([
    ...(note === null ? [] : [`Note: ${structureNotes[note]}.`]),
    `Your last answer had no marker line \`${spec.answer}\` that counts.${why} Send the whole answer again in the form below.`,
    answerForm(spec, { closing }),
  ]);
}

/** Incomplete (R001-14): asks only for the missing sections. */
export function renderCompletion(
  spec: AnswerSpec,
  missing: readonly string[],
  {
    cut = false,
    closing = null,
  }: { readonly cut?: boolean | undefined; readonly closing?: string | null } = {},
): string {
  return paragraphs([
    cut
      ? 'Your last answer was cut off at its length limit. The sections before the cut are kept. Send only the part below, in full and in fewer words.'
      : 'Part of your last answer is missing or empty. The rest is kept; send only the missing part.',
    answerForm(spec, { names: missing, closing }),
  ]);
}

/** Malformed: asks for the unreadable sections and names the problem of each. */
export function renderMalformed(
  spec: AnswerSpec,
  malformations: readonly Malformation[],
  closing: string | null = null,
): string {
  const faults = malformations.map(({ section, detail }) => `- \`${section}\`: ${oneLine(detail)}`);
  return paragraphs([
    'Part of your last answer could not be read. Send only the part below again; the rest is kept.',
    faults.join('\n'),
    answerForm(spec, { names: [...new Set(malformations.map(({ section }) => section))], closing }),
  ]);
}

/** Not closed: a review without problems counts only with the line that our prompt names. */
export function renderUnclosed(closing: string): string {
  return paragraphs([
    `Your last answer reports no problem and does not end with its closing line. If you have looked at everything and found no problem, send only this line, outside any fence, quote or list: \`${closingLine(closing)}\``,
    'Otherwise send the whole answer again, with your findings, and end it with that line.',
  ]);
}

/** Irrelevant (R001-16): sends the whole request with its context once more. */
export function renderContextAgain(request: ConsultRequest, options: RenderOptions): RenderedPrompt {
  const preface =
    'Your last answer was not about this request. Here is the request again with its context; answer this one.';
  const budgetCharacters =
    options.budgetCharacters === null ? null : Math.max(0, options.budgetCharacters - preface.length - 2);
  const { text, shown } = renderRequest(request, { ...options, budgetCharacters });
  return { text: `${preface}\n\n${text}`, shown };
}

export type ReverseAnswer =
  | { readonly sections: Readonly<Record<string, string>> }
  /** The reason that the lead gives no answer. */
  | { readonly declined: string };

/** Renders the lead's answer to a reverse request (X001-7); the advisor's own exchange continues. */
export function renderReverseAnswer(
  tag: ReverseTag,
  answer: ReverseAnswer,
  nonce: string,
  closing: string | null = null,
): string {
  const spec = reverseSpecOf(tag);
  if ('declined' in answer) {
    return paragraphs([
      `The lead does not answer your \`${tag}\`:`,
      spec.answer,
      `Declined: ${codeSpan(oneLine(answer.declined))}`,
      `Continue without it: name what you had to assume, and ${goOn(closing)}`,
    ]);
  }
  const sections = spec.sections.map(
    ({ name }) => `## ${name}\n\n${reverseText(answer.sections[name] ?? 'None', nonce)}`,
  );
  return paragraphs([`The lead answers your \`${tag}\`:`, spec.answer, ...sections, `Now ${goOn(closing)}`]);
}

/**
 * Renders the whole request again with the reverse requests and their answers, for an advisor without its former
 * thread.
 */
export function renderRequestWithAnswers(
  request: ConsultRequest,
  asked: readonly { readonly request: ReverseRequest; readonly answer: ReverseAnswer }[],
  options: RenderOptions,
): RenderedPrompt {
  const since = asked.flatMap((one) => [
    `You received this request before, and asked back with \`${one.request.tag}\` (data):`,
    createFences(options.nonce).data(one.request.text, 'markdown'),
    renderReverseAnswer(one.request.tag, one.answer, options.nonce, closingOf(request, options)).trimEnd(),
  ]);
  const rest = paragraphs(since);
  const budgetCharacters =
    options.budgetCharacters === null ? null : Math.max(0, options.budgetCharacters - rest.length - 1);
  const { text, shown } = renderRequest(request, { ...options, budgetCharacters });
  return { text: `${text}\n${rest}`, shown };
}

/** Returns null if the request's answer has no closing line. */
export function closingOf({ tag }: Pick<ConsultRequest, 'tag'>, { closing }: RenderOptions): string | null {
  return hasClosingLine(exchangeSpecOf(tag).answer) ? (closing ?? null) : null;
}

/** Renders the message after a turn that was cut before its answer was whole. */
export function renderCutAgain(closing: string | null = null): string {
  const end = closing === null ? '' : ` to its closing line \`${closingLine(closing)}\``;
  return `Your last turn was cut before it ended. Send the whole answer, from its marker line on${end}.\n`;
}

const causeSentences: Readonly<Record<DiscountCause, string>> = {
  code_fence: 'You put it into a code fence.',
  quote: 'You put it into a quote.',
  list: 'You put it into a list.',
  html: 'You put it into an HTML element or comment.',
  inline_code: 'You wrote it as inline code.',
  link_title: 'It was in a link title.',
  image: 'It was in an image.',
  lazy_continuation: 'It continued a quote or list item; leave an empty line before it.',
  inside_details: 'You put it inside <details>.',
  prose: 'It was in a sentence; it needs a line of its own.',
};

function goOn(closing: string | null): string {
  const end = closing === null ? '' : ` Its last line is \`${closingLine(closing)}\`.`;
  return `answer the request with the block that it names.${end}`;
}

/** Leaves a word or two unfenced, so that a verdict reads as one; longer text is data. */
function reverseText(text: string, nonce: string): string {
  return /^[\w ]{1,40}$/.test(text) ? text : createFences(nonce).data(text, 'markdown');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function paragraphs(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}
