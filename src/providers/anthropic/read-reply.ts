/** Translates the blocks of a message for the loop. Pure. */
import type { Usage } from '../../events/collab-event.ts';
import { decodeToolName } from '../../tools/definition/tool-name.ts';
import { brokenOff } from '../client/hearing.ts';
import type { WireReader } from '../api/wire.ts';
import type { ModelEnd, SaidPart } from '../contract/model.ts';
import { blockSchema, blockTypes, type MessageBlock, type MessageUsage } from './wire.ts';

/** A block as the API sent it. */
export type BlockData = { type: string } & Record<string, unknown>;

/** Returns how a message ended. One without a stop reason (empty) was cut off. */
export function endOf(blocks: readonly BlockData[], stopReason: string, wire: WireReader): ModelEnd {
  switch (stopReason) {
    case '':
      return brokenOff;
    case 'refusal':
      return { kind: 'empty', message: 'the model refused to answer' };
    case 'model_context_window_exceeded':
      return {
        kind: 'timed_out',
        limit: 'context',
        message: 'the conversation is too long for the model',
      };
    default: {
      const known = blocks.filter(({ type }) => blockTypes.has(type));
      const read = known.flatMap((block) => wire.read(blockSchema, block) ?? []);
      return { kind: 'said', parts: read.map(partOf), stopReason };
    }
  }
}

function partOf(block: MessageBlock): SaidPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'tool_use': {
      const { id, name, input } = block;
      return { type: 'tool_call', id, name: decodeToolName(name), args: input ?? {} };
    }
    case 'thinking': {
      const { type, thinking, signature } = block;
      return { type: 'opaque', value: { type, thinking, signature } };
    }
    case 'redacted_thinking':
      return { type: 'opaque', value: { type: block.type, data: block.data } };
  }
}

/** Returns the sums so far: each event gives totals of the message, so the last known one counts. */
export function joinUsage(
  before: MessageUsage | null,
  told: MessageUsage | null | undefined,
): MessageUsage | null {
  if (told === null || told === undefined) return before;
  const known = Object.entries(told).filter(([, value]) => value !== undefined && value !== null);
  return { ...before, ...Object.fromEntries(known) };
}

/**
 * Returns the usage. `input_tokens` excludes tokens read from and written to the cache (requirements B.5). There is no price
 * list here.
 */
export function readUsage(usage: MessageUsage, model: string): Usage {
  const written = usage.cache_creation_input_tokens ?? 0;
  const hourly = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  return {
    model,
    input: usage.input_tokens ?? 0,
    output: usage.output_tokens ?? 0,
    cache_read: usage.cache_read_input_tokens ?? 0,
    // The breakdown may be older than the total.
    cache_write_5m: Math.max(usage.cache_creation?.ephemeral_5m_input_tokens ?? 0, written - hourly),
    cache_write_1h: hourly,
    reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
    cost: null,
    cost_basis: 'unknown',
  };
}
