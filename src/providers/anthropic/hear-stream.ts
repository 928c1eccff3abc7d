/**
 * Turns the events of a message stream into signs for the loop; unknown events, deltas and blocks only count as signs of life.
 */
import type { Message, MessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { ModelSign } from '../contract/model.ts';

export function createHearing(say: (sign: ModelSign) => void): (event: MessageStreamEvent) => void {
  const blocks = new Map<number, string>();
  return (event) => {
    switch (event.type) {
      case 'message_start':
        return say({ kind: 'begun' });
      case 'content_block_start':
        blocks.set(event.index, event.content_block.type);
        return say({ kind: 'alive' });
      case 'content_block_delta':
        return say(deltaSign(event));
      case 'content_block_stop':
        return say(endSign(event.index, blocks.get(event.index)));
      case 'message_delta':
      case 'message_stop':
      default:
        return say({ kind: 'alive' });
    }
  };
}

/** Reports an answer that arrived as a whole. */
export function hearWhole({ content }: Pick<Message, 'content'>, say: (sign: ModelSign) => void): void {
  say({ kind: 'begun' });
  for (const [block, said] of content.entries()) {
    if (said.type === 'text') say({ kind: 'text', block, text: said.text });
    if (said.type === 'thinking') say({ kind: 'thinking', block, text: said.thinking });
    say(endSign(block, said.type));
  }
}

function deltaSign({
  index,
  delta,
}: Extract<MessageStreamEvent, { type: 'content_block_delta' }>): ModelSign {
  if (delta.type === 'text_delta') return { kind: 'text', block: index, text: delta.text };
  if (delta.type === 'thinking_delta') return { kind: 'thinking', block: index, text: delta.thinking };
  return { kind: 'alive' };
}

function endSign(block: number, type: string | undefined): ModelSign {
  if (type === 'text') return { kind: 'text_end', block };
  if (type === 'thinking') return { kind: 'thinking_end', block, redacted: false };
  if (type === 'redacted_thinking') return { kind: 'thinking_end', block, redacted: true };
  return { kind: 'alive' };
}
