/** What is said to the advisor in one turn, as text, with the lines of the change that are in it. */
import type { AskedBack, AskInput, Message } from '../machine/exchange-types.ts';
import type { ConsultRequest, RenderedPrompt } from '../prompts/request.ts';
import { renderRequest } from '../prompts/render-request.ts';
import {
  renderCompletion,
  renderContextAgain,
  renderCutAgain,
  renderMalformed,
  renderRepair,
  renderRequestWithAnswers,
  renderReverseAnswer,
} from '../prompts/repair.ts';
import { exchangeSpecOf } from '../tags/tags.ts';

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

function reverseAnswer({ asked }: Extract<Message, { kind: 'reverse_answer' }>): string {
  const last = asked.at(-1);
  if (last === undefined) throw new RangeError('no reverse request was answered');
  return renderReverseAnswer(last.request.tag, answerText(last));
}

/** For a thread that knows nothing of the exchange, because its own is gone: request, questions and answers together. */
export function renderAfresh(
  { message, request }: AskInput,
  promptLimit: number | null,
): RenderedPrompt | null {
  if (message.kind !== 'reverse_answer') return null;
  const asked = message.asked.map((one) => ({ request: one.request, answer: answerText(one) }));
  return renderRequestWithAnswers(request, asked, { budgetCharacters: promptLimit });
}

function answerText({ answer }: AskedBack) {
  return answer.declined === null ? { sections: answer.sections } : { declined: answer.declined };
}
