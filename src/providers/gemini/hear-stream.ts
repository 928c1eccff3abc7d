/** Turns the chunks of an answer into signs for the loop. */
import type { Usage } from '../../events/collab-event.ts';
import { createBlocks } from '../client/blocks.ts';
import type { Hearing } from '../client/hearing.ts';
import { createWireReader } from '../api/wire.ts';
import type { ModelSign, SaidPart } from '../contract/model.ts';
import { endOf, readPart, readUsage } from './read-reply.ts';
import { chunkSchema, type WirePart } from './wire.ts';

export function createHearing(model: string, say: (sign: ModelSign) => void): Hearing {
  const blocks = createBlocks(say);
  const wire = createWireReader();
  const parts: SaidPart[] = [];
  let begun = false;
  let finishReason = '';
  let blockReason = '';
  let usage: Usage | null = null;
  const hearPart = (part: WirePart): void => {
    if (part.text !== '') blocks.say(part.thought === true ? 'thinking' : 'text', part.text);
    for (const said of readPart(part)) addPart(parts, said);
  };
  return {
    hear(chunk) {
      if (!begun) say({ kind: 'begun' });
      begun = true;
      const { candidates, promptFeedback, usageMetadata, modelVersion } = wire.read(chunkSchema, chunk) ?? {};
      const candidate = candidates?.[0];
      for (const part of candidate?.content?.parts ?? []) hearPart(part);
      finishReason = candidate?.finishReason || finishReason;
      blockReason = promptFeedback?.blockReason || blockReason;
      if (usageMetadata !== undefined && usageMetadata !== null)
        usage = readUsage(usageMetadata, modelVersion ?? model);
      if (finishReason !== '') blocks.end();
      say({ kind: 'alive' });
    },
    end: () => wire.failure() ?? endOf(parts, { finishReason, blockReason }),
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
