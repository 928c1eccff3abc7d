/** The prompt for the lead, in a separate session, when the advisor sends a reverse request. */
import type { ReverseRequest } from '../../parsers/answers/answer-types.ts';
import { exchangeSpecOf, reverseSpecOf } from '../../tags/tags.ts';
import { codeSpan, createFences } from '../fence.ts';
import type { ConsultRequest } from '../request.ts';

export interface ReversePrompt {
  readonly request: ReverseRequest;
  /** The request whose exchange waits for the answer. */
  readonly original: ConsultRequest;
  /** True if the lead can read files. */
  readonly readsFiles: boolean;
  /** Names the fences. */
  readonly nonce: string;
}

export function renderReverseRequest({ request, original, readsFiles, nonce }: ReversePrompt): string {
  const fences = createFences(nonce);
  const spec = reverseSpecOf(request.tag);
  const { purpose } = exchangeSpecOf(original.tag);
  const blocks = [
    `You are the lead (主導). You asked your advisor (相談役) about ${purpose}, and it asks a question before it answers.`,
    '## What you asked',
    fences.words(original.question),
    `## What the advisor asks with ${codeSpan(request.tag)}: to ${spec.purpose} (data)`,
    fences.data(request.text, 'markdown'),
    '## How to answer',
    [
      `Answer with one block. Its first line is the marker ${codeSpan(spec.answer)}, on a line of its own; then write, each under its own heading:`,
      ...spec.sections.map(({ name, asks }) => `- In \`## ${name}\`, ${asks}.`),
    ].join('\n'),
    [
      'Rules:',
      `- ${fences.rule}`,
      readsFiles
        ? "- You may read the project's files; change nothing. Quote what you rely on, with its path."
        : '- You cannot read files here: say what you know, and what you do not.',
      '- Do not ask back: your answer must not contain the tag of a request. If you cannot know, say so.',
      '- Give no secret: no password, token or key.',
    ].join('\n'),
  ];
  return `${blocks.join('\n\n')}\n`;
}
