/** What is said to the advisor in one turn, as text, with the lines of the change that are in it. */
import type { AskedBack, AskInput, Message } from '../../machine/exchange/exchange-types.ts';
import type { ConsultRequest, RenderedPrompt } from '../../prompts/request.ts';
import { renderRequest, type RenderOptions } from '../../prompts/render-request.ts';
import {
  renderCompletion,
  renderContextAgain,
  renderCutAgain,
  renderMalformed,
  renderRepair,
  renderRequestWithAnswers,
  renderReverseAnswer,
} from '../../prompts/repair.ts';
import { exchangeSpecOf } from '../../tags/tags.ts';

export function renderMessage(input: AskInput, options: RenderOptions): RenderedPrompt {
  const { message, request } = input;
  switch (message.kind) {
    case 'request':
      return renderRequest(request, options);
    case 'context':
      return renderContextAgain(request, options);
    default:
      return { text: followUp(message, request, options), shown: [] };
  }
}

function followUp(
  message: Exclude<Message, { kind: 'request' | 'context' }>,
  request: ConsultRequest,
  { nonce }: RenderOptions,
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
      return reverseAnswer(message, nonce);
    case 'cut_again':
      return renderCutAgain();
  }
}

function reverseAnswer({ asked }: Extract<Message, { kind: 'reverse_answer' }>, nonce: string): string {
  const last = asked.at(-1);
  if (last === undefined) throw new RangeError('no reverse request was answered');
  return renderReverseAnswer(last.request.tag, answerText(last), nonce);
}

/** For a thread that knows nothing of the exchange, because its own is gone: request, questions and answers together. */
export function renderAfresh({ message, request }: AskInput, options: RenderOptions): RenderedPrompt | null {
  if (message.kind !== 'reverse_answer') return null;
  const asked = message.asked.map((one) => ({ request: one.request, answer: answerText(one) }));
  return renderRequestWithAnswers(request, asked, options);
}

function answerText({ answer }: AskedBack) {
  return answer.declined === null ? { sections: answer.sections } : { declined: answer.declined };
}
