/** Turns the chunks of a chat completion into signs for the loop, and folds them into a result. */
import { randomUUID } from 'node:crypto';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { Usage } from '../../events/collab-event.ts';
import { decodeToolName } from '../../tools/definition/tool-name.ts';
import { createBlocks } from '../client/blocks.ts';
import type { ModelEnd, ModelSign, SaidPart } from '../contract/model.ts';
import { argumentsIn, brokenOff, usageOf, type Hearing } from '../api/hearing.ts';

type ToolCallDelta = NonNullable<ChatCompletionChunk['choices'][number]['delta']['tool_calls']>[number];

export function createChatHearing(
  model: string,
  say: (sign: ModelSign) => void,
): Hearing<ChatCompletionChunk> {
  const blocks = createBlocks(say);
  const calls = createCalls();
  let begun = false;
  let text = '';
  let refusal = '';
  let reason: string | null = null;
  let usage: Usage | null = null;
  return {
    hear(chunk) {
      if (!begun) say({ kind: 'begun' });
      begun = true;
      if (chunk.usage !== undefined && chunk.usage !== null)
        usage = readChatUsage(chunk, chunk.model || model);
      const choice = chunk.choices[0];
      if (choice === undefined) return say({ kind: 'alive' });
      const { content, refusal: refused, tool_calls = [] } = choice.delta;
      const thought = thoughtIn(choice.delta);
      if (thought !== '') blocks.say('thinking', thought);
      if (typeof content === 'string' && content !== '') {
        text += content;
        blocks.say('text', content);
      }
      refusal += refused ?? '';
      for (const call of tool_calls ?? []) calls.add(call);
      reason = choice.finish_reason ?? reason;
      if (reason !== null) blocks.end();
      say({ kind: 'alive' });
    },
    end: () => endOf({ text, refusal, reason, calls: calls.parts() }),
    usage: () => usage,
  };
}

interface Heard {
  readonly text: string;
  readonly refusal: string;
  readonly reason: string | null;
  readonly calls: readonly SaidPart[];
}

function endOf({ text, refusal, reason, calls }: Heard): ModelEnd {
  if (refusal !== '') return { kind: 'empty', message: `the model refused to answer: ${refusal}` };
  switch (reason) {
    case null:
      return brokenOff;
    case 'content_filter':
      return { kind: 'empty', message: 'the filter of the API stopped the answer' };
    default:
      return {
        kind: 'said',
        parts: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
        stopReason: stopReasons[reason] ?? reason,
      };
  }
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
};

/** Thoughts are not part of OpenAI's own chunks; servers that send them use one of these two names. */
const thoughtSchema = z.looseObject({
  reasoning_content: z.string().nullish().catch(null),
  reasoning: z.string().nullish().catch(null),
});

function thoughtIn(delta: unknown): string {
  const { reasoning_content, reasoning } = thoughtSchema.parse(delta);
  return reasoning_content ?? reasoning ?? '';
}

interface Call {
  readonly id: string;
  readonly name: string;
  written: string;
}

/**
 * Collects the pieces of calls that are streamed in parallel. Some servers number every call 0, so another id is another call.
 */
function createCalls() {
  const calls: Call[] = [];
  const current = new Map<number, Call>();
  return {
    add({ index, id, function: { name = '', arguments: piece = '' } = {} }: ToolCallDelta): void {
      const open = current.get(index);
      if (open === undefined || (id !== undefined && id !== '' && id !== open.id && name !== '')) {
        const call = { id: id === undefined || id === '' ? randomUUID() : id, name, written: piece };
        calls.push(call);
        current.set(index, call);
      } else open.written += piece;
    },
    parts: (): readonly SaidPart[] =>
      calls.map(({ id, name, written }) => ({
        type: 'tool_call',
        id,
        name: decodeToolName(name),
        args: argumentsIn(written),
      })),
  };
}

function readChatUsage({ usage }: Pick<ChatCompletionChunk, 'usage'>, model: string): Usage {
  return usageOf({
    model,
    input: usage?.prompt_tokens,
    cached: usage?.prompt_tokens_details?.cached_tokens,
    output: usage?.completion_tokens,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens,
  });
}
