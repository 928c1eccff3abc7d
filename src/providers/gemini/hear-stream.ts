/** Turns the chunks of an answer into signs for the loop. */
import type { GenerateContentResponse, Part } from '@google/genai';
import type { Usage } from '../../events/collab-event.ts';
import { createBlocks } from '../client/blocks.ts';
import type { Hearing } from '../api/hearing.ts';
import type { ModelSign, SaidPart } from '../contract/model.ts';
import { endOf, readPart, readUsage } from './read-reply.ts';

export function createHearing(
  model: string,
  say: (sign: ModelSign) => void,
): Hearing<GenerateContentResponse> {
  const blocks = createBlocks(say);
  const parts: SaidPart[] = [];
  let begun = false;
  let finishReason: string | null = null;
  let blockReason: string | null = null;
  let usage: Usage | null = null;
  const hearPart = (part: Part): void => {
    const { text = '', thought = false } = part;
    if (text !== '') blocks.say(thought ? 'thinking' : 'text', text);
    for (const said of readPart(part)) addPart(parts, said);
  };
  return {
    hear({ candidates, promptFeedback, usageMetadata, modelVersion }) {
      if (!begun) say({ kind: 'begun' });
      begun = true;
      const candidate = candidates?.[0];
      for (const part of candidate?.content?.parts ?? []) hearPart(part);
      finishReason = candidate?.finishReason ?? finishReason;
      blockReason = promptFeedback?.blockReason ?? blockReason;
      if (usageMetadata !== undefined) usage = readUsage(usageMetadata, modelVersion ?? model);
      if (finishReason !== null) blocks.end();
      say({ kind: 'alive' });
    },
    end: () => endOf(parts, { finishReason, blockReason }),
    usage: () => usage,
  };
}

/** Adds a part; consecutive pieces of text become one. */
function addPart(parts: SaidPart[], said: SaidPart): void {
  const last = parts.at(-1);
  if (last?.type === 'text' && said.type === 'text') {
    parts[parts.length - 1] = { type: 'text', text: last.text + said.text };
  } else parts.push(said);
}
