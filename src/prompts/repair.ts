/** What is sent in a thread that already holds the request: each names what was wrong and asks for just that. */
import type { DiscountCause, Malformation, ReverseRequest } from '../parsers/answers/answer-types.ts';
import { reverseSpecs, type AnswerSpec, type ReverseSpec, type ReverseTag } from '../tags/tags.ts';
import { answerForm } from './answer-form.ts';
import { codeSpan, createFences } from './fence.ts';
import { renderRequest, type RenderOptions } from './render-request.ts';
import type { ConsultRequest, RenderedPrompt } from './request.ts';

/** Marker absent (R001-13): asks for the structure again. */
export function renderRepair(spec: AnswerSpec, causes: readonly DiscountCause[]): string {
  const why = [...new Set(causes)].map((cause) => ` ${causeSentences[cause]}`).join('');
  return paragraphs([
    `Your last answer had no marker line \`${spec.answer}\` that counts.${why} Send the whole answer again in the form below.`,
    answerForm(spec),
  ]);
}

/** Incomplete (R001-14): asks for the missing sections and no other. */
export function renderCompletion(spec: AnswerSpec, missing: readonly string[]): string {
  return paragraphs([
    'Part of your last answer is missing or has nothing in it. What you sent is kept; send only the missing part.',
    answerForm(spec, missing),
  ]);
}

/** Malformed: asks for the sections that could not be read, naming what was wrong with each. */
export function renderMalformed(spec: AnswerSpec, malformations: readonly Malformation[]): string {
  const faults = malformations.map(({ section, detail }) => `- \`${section}\`: ${oneLine(detail)}`);
  return paragraphs([
    'Part of your last answer could not be read. Send only the part below again; the rest is kept.',
    faults.join('\n'),
    answerForm(spec, [...new Set(malformations.map(({ section }) => section))]),
  ]);
}

/** Irrelevant (R001-16): the whole request with its context once more. */
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
  /** Why the lead gives no answer. */
  | { readonly declined: string };

/** The lead's answer to a reverse request (X001-7); the advisor's own exchange goes on. */
export function renderReverseAnswer(tag: ReverseTag, answer: ReverseAnswer, nonce: string): string {
  const spec = reverseSpecOf(tag);
  if ('declined' in answer) {
    return paragraphs([
      `The lead does not answer your \`${tag}\`:`,
      spec.answer,
      `Declined: ${codeSpan(oneLine(answer.declined))}`,
      `Go on without it: name what you had to assume, and ${goOn}`,
    ]);
  }
  const sections = spec.sections.map(
    ({ name }) => `## ${name}\n\n${reverseText(answer.sections[name] ?? 'None', nonce)}`,
  );
  return paragraphs([`The lead answers your \`${tag}\`:`, spec.answer, ...sections, `Now ${goOn}`]);
}

/**
 * The whole request again with what was asked back and answered since, for an advisor that knows of neither: the thread
 * that asked is gone.
 */
export function renderRequestWithAnswers(
  request: ConsultRequest,
  asked: readonly { readonly request: ReverseRequest; readonly answer: ReverseAnswer }[],
  options: RenderOptions,
): RenderedPrompt {
  const since = asked.flatMap((one) => [
    `Before this you were asked the same, and asked back with \`${one.request.tag}\` (data):`,
    createFences(options.nonce).data(one.request.text, 'markdown'),
    renderReverseAnswer(one.request.tag, one.answer, options.nonce).trimEnd(),
  ]);
  const rest = paragraphs(since);
  const budgetCharacters =
    options.budgetCharacters === null ? null : Math.max(0, options.budgetCharacters - rest.length - 1);
  const { text, shown } = renderRequest(request, { ...options, budgetCharacters });
  return { text: `${text}\n${rest}`, shown };
}

/** The thread's last turn was cut before its answer was whole (DESIGN §5). */
export function renderCutAgain(): string {
  return 'Your last turn was cut before it ended. Send the whole answer, from its marker line on.\n';
}

const causeSentences: Readonly<Record<DiscountCause, string>> = {
  code_fence: 'You put it into a code fence.',
  quote: 'You put it into a quote.',
  list: 'You put it into a list.',
  html: 'You put it into an HTML element or comment.',
  inline_code: 'You wrote it as inline code.',
  link_title: 'It stood in the title of a link.',
  image: 'It stood in an image.',
  lazy_continuation: 'It continued a quote or list item; leave an empty line before it.',
  inside_details: 'You put it inside <details>.',
  prose: 'It stood in a sentence; it needs a line of its own.',
};

const goOn = 'answer the request with the block that it asks for.';

/** A word or two stands as it is, so that a verdict reads as one; anything longer is data. */
function reverseText(text: string, nonce: string): string {
  return /^[\w ]{1,40}$/.test(text) ? text : createFences(nonce).data(text, 'markdown');
}

function reverseSpecOf(tag: ReverseTag): ReverseSpec {
  const spec = reverseSpecs.find((candidate) => candidate.request === tag);
  if (spec === undefined) throw new RangeError(`no reverse request is named ${tag}`);
  return spec;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function paragraphs(blocks: readonly string[]): string {
  return `${blocks.join('\n\n')}\n`;
}
