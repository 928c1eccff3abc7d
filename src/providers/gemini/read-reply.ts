/** Translates the Gemini API's answers for the loop. Pure. */
import { randomUUID } from 'node:crypto';
import type { Usage } from '../../events/collab-event.ts';
import { decodeToolName } from '../../tools/definition/tool-name.ts';
import { brokenOff, usageOfReply } from '../client/hearing.ts';
import type { ModelEnd, SaidPart } from '../contract/model.ts';
import type { WirePart, ChunkUsage } from './wire.ts';

/** Reads one part of an answer; thoughts are only streamed. Older models give a call no id. */
export function readPart({ text, thought, functionCall, thoughtSignature }: WirePart): readonly SaidPart[] {
  if (functionCall !== undefined && functionCall !== null) {
    const { id = randomUUID(), name, args } = functionCall;
    return [
      ...sealOf(thoughtSignature, id),
      { type: 'tool_call', id, name: decodeToolName(name), args: args ?? {} },
    ];
  }
  const said = thought === true || text === '' ? [] : [{ type: 'text' as const, text }];
  return [...sealOf(thoughtSignature, null), ...said];
}

function sealOf(thought_signature: string, call: string | null): readonly SaidPart[] {
  return thought_signature === '' ? [] : [{ type: 'opaque', value: { thought_signature, call } }];
}

export interface Told {
  /** Empty for none, as is the next. */
  readonly finishReason: string;
  /** The reason why the prompt was not answered at all. */
  readonly blockReason: string;
}

export function endOf(parts: readonly SaidPart[], { finishReason, blockReason }: Told): ModelEnd {
  if (blockReason !== '') return refused(blockReason);
  switch (finishReason) {
    case '':
      return brokenOff;
    case 'STOP':
    case 'FINISH_REASON_UNSPECIFIED': {
      const calls = parts.some(({ type }) => type === 'tool_call');
      return { kind: 'said', parts, stopReason: calls ? 'tool_use' : 'end_turn' };
    }
    case 'MAX_TOKENS':
      return { kind: 'said', parts, stopReason: 'max_tokens' };
    case 'MALFORMED_FUNCTION_CALL':
    case 'UNEXPECTED_TOOL_CALL':
    case 'TOO_MANY_TOOL_CALLS':
      return { kind: 'cut', message: `the answer ended early at a call: ${finishReason}` };
    default:
      return refused(finishReason);
  }
}

function refused(reason: string): ModelEnd {
  return { kind: 'empty', message: `the API refused to answer: ${reason}` };
}

/** Returns the usage; thoughts are billed as output. */
export function readUsage(told: ChunkUsage, model: string): Usage {
  const { promptTokenCount = 0, toolUsePromptTokenCount = 0, candidatesTokenCount = 0 } = told;
  return usageOfReply({
    model,
    input: promptTokenCount + toolUsePromptTokenCount,
    cached: told.cachedContentTokenCount,
    output: candidatesTokenCount + (told.thoughtsTokenCount ?? 0),
    reasoning: told.thoughtsTokenCount,
  });
}
