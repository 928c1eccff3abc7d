/** What is said to the advisor in one turn, as text, with the lines of the change that are in it. */
import type { AskInput, Message } from '../machine/exchange-types.ts';
import type { ConsultRequest, RenderedPrompt } from '../prompts/request.ts';
import { renderRequest } from '../prompts/render-request.ts';
import {
  renderCompletion,
  renderContextAgain,
  renderCutAgain,
  renderMalformed,
  renderRepair,
  renderReverseAnswer,
} from '../prompts/repair.ts';
import { exchangeSpecOf, reverseSpecs } from '../tags/tags.ts';

/** `promptLimit` is the advisor's, in characters; null where it has none. */
export function renderMessage(input: AskInput, promptLimit: number | null): RenderedPrompt {
  const { message, request } = input;
  switch (message.kind) {
    case 'request':
      return renderRequest(request, { budgetCharacters: promptLimit });
    case 'context':
      return renderContextAgain(request, { budgetCharacters: promptLimit });
    default:
      return { text: followUp(message, request), shown: [] };
  }
}

function followUp(
  message: Exclude<Message, { kind: 'request' | 'context' }>,
  request: ConsultRequest,
): string {
  const spec = { answer: exchangeSpecOf(request.tag).answer, sections: request.sections };
  switch (message.kind) {
    case 'structure': {
      const text = renderRepair(spec, message.causes);
      return message.note === null ? text : `Note: ${message.note}.\n\n${text}`;
    }
    case 'sections':
      return renderCompletion(spec, message.missing);
    case 'correction':
      return renderMalformed(spec, message.malformations);
    case 'reverse_answer':
      return reverseAnswer(message);
    case 'cut_again':
      return renderCutAgain();
  }
}

function reverseAnswer({ answer }: Extract<Message, { kind: 'reverse_answer' }>): string {
  const spec = reverseSpecs.find((candidate) => candidate.answer === answer.tag);
  if (spec === undefined) throw new RangeError(`no reverse request is answered with ${answer.tag}`);
  return renderReverseAnswer(
    spec.request,
    answer.declined === null ? { sections: answer.sections } : { declined: answer.declined },
  );
}
