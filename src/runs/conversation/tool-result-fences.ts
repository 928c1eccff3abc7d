/** Puts tool results into fences before a model reads them: the fences cannot be guessed, because the text is foreign. */
import { createFences } from '../../prompts/fence.ts';
import type { HeardPart, Model, ModelMessage } from '../../providers/contract/model.ts';
import { fenceNonce, newFenceSeed } from '../calls/fence-nonce.ts';

/** A result keeps its fence for the model's lifetime, so that a longer prompt starts with the same bytes. */
export function fencingModel(model: Model): Model {
  const seed = newFenceSeed();
  return {
    ...model,
    turn: (request) =>
      model.turn({
        ...request,
        messages: request.messages.map((message, index) => fenceResults(message, `${seed}/${index}`)),
      }),
  };
}

/** Fences the text of an attachment: its author need not be its sender. It keeps its fence, the same as a result. */
export function fenceAttached(part: HeardPart, place: string): HeardPart {
  if (part.type !== 'text') return part;
  return { ...part, text: createFences(fenceNonce(place, 'attached')).data(part.text) };
}

function fenceResults(message: ModelMessage, place: string): ModelMessage {
  if (message.role !== 'user') return message;
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool_result' || part.content === '') return part;
    return { ...part, content: createFences(fenceNonce(place, part.id)).data(part.content) };
  });
  return { role: 'user', parts };
}
