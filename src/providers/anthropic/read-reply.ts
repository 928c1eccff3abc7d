/** Translates a whole message of the API for the loop. Pure. */
import type { ContentBlock, Message, Usage as WireUsage } from '@anthropic-ai/sdk/resources/messages';
import { z } from 'zod';
import type { Usage } from '../../events/collab-event.ts';
import { decodeToolName } from '../../tools/definition/tool-name.ts';
import type { ModelEnd, SaidPart } from '../contract/model.ts';

export function readReply({ content, stop_reason }: Pick<Message, 'content' | 'stop_reason'>): ModelEnd {
  switch (stop_reason) {
    case 'refusal':
      return { kind: 'empty', message: 'the model refused to answer' };
    case 'model_context_window_exceeded':
      return {
        kind: 'timed_out',
        limit: 'context',
        message: 'the conversation is too long for the model',
      };
    default:
      return { kind: 'said', parts: content.flatMap(partOf), stopReason: stop_reason };
  }
}

function partOf(block: ContentBlock): readonly SaidPart[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }];
    case 'tool_use': {
      const { id, name, input } = block;
      return [{ type: 'tool_call', id, name: decodeToolName(name), args: z.json().parse(input) }];
    }
    case 'thinking': {
      const { type, thinking, signature } = block;
      return [{ type: 'opaque', value: { type, thinking, signature } }];
    }
    case 'redacted_thinking':
      return [{ type: 'opaque', value: { type: block.type, data: block.data } }];
    default:
      // Blocks of tools that run at the API; none is ever requested.
      return [];
  }
}

/**
 * Returns the usage. `input_tokens` excludes tokens read from and written to the cache (requirements B.5). There is no price
 * list here.
 */
export function readUsage(usage: Partial<WireUsage>, model: string): Usage {
  const written = usage.cache_creation_input_tokens ?? 0;
  const hourly = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  return {
    model,
    input: usage.input_tokens ?? 0,
    output: usage.output_tokens ?? 0,
    cache_read: usage.cache_read_input_tokens ?? 0,
    cache_write_5m: usage.cache_creation?.ephemeral_5m_input_tokens ?? Math.max(0, written - hourly),
    cache_write_1h: hourly,
    reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    cost: null,
    cost_basis: 'unknown',
  };
}
