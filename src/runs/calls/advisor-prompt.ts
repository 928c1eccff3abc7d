/** Renders the text for the advisor in one turn, with the lines of the change in it. */
import type { AskedBack, AskInput, ExchangeMessage } from '../../machine/exchange/exchange-types.ts';
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
  renderUnclosed,
  closingOf,
} from '../../prompts/repair/repair.ts';
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
  message: Exclude<ExchangeMessage, { kind: 'request' | 'context' }>,
  request: ConsultRequest,
  options: RenderOptions,
): string {
  const spec = { answer: exchangeSpecOf(request.tag).answer, sections: request.sections };
  const closing = closingOf(request, options);
  switch (message.kind) {
    case 'structure':
      return renderRepair(spec, { causes: message.causes, note: message.note, closing });
    case 'sections':
      return renderCompletion(spec, message.missing, { cut: message.cut, closing });
    case 'correction':
      return renderMalformed(spec, message.malformations, closing);
    case 'unclosed':
      return renderUnclosed(message.closing);
    case 'reverse_answer':
      return reverseAnswer(message, options.nonce, closing);
    case 'cut_again':
      return renderCutAgain(closing);
  }
}

function reverseAnswer(
  { asked }: Extract<ExchangeMessage, { kind: 'reverse_answer' }>,
  nonce: string,
  closing: string | null,
): string {
  const last = asked.at(-1);
  if (last === undefined) throw new RangeError('no reverse request was answered');
  return renderReverseAnswer(last.request.tag, answerText(last), nonce, closing);
}

/** For a new thread that replaces a lost one: request, questions and answers together. */
export function renderAfresh({ message, request }: AskInput, options: RenderOptions): RenderedPrompt | null {
  if (message.kind !== 'reverse_answer') return null;
  const asked = message.asked.map((one) => ({ request: one.request, answer: answerText(one) }));
  return renderRequestWithAnswers(request, asked, options);
}

function answerText({ answer }: AskedBack) {
  return answer.declined === null ? { sections: answer.sections } : { declined: answer.declined };
}
