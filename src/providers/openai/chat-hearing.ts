/** Turns the chunks of a chat completion into signs for the loop, and folds them into a result. */
import { randomUUID } from 'node:crypto';
import type { Usage } from '../../events/collab-event.ts';
import { decodeToolName } from '../../tools/definition/tool-name.ts';
import { argumentsIn, brokenOff, usageOfReply, type Hearing } from '../client/hearing.ts';
import { createWireReader } from '../api/wire.ts';
import { createBlocks } from '../client/blocks.ts';
import type { ModelEnd, ModelSign, SaidPart } from '../contract/model.ts';
import { classifyStreamFault } from './errors.ts';
import {
  completionSchema,
  faultSchema,
  type CallPiece,
  type ChatFault,
  type ChatUsage,
  type Choice,
} from './chat-wire.ts';

/** @param isWhole the answer comes as one completion, whose end needs no reason */
export function createChatHearing(model: string, say: (sign: ModelSign) => void, isWhole: boolean): Hearing {
  const blocks = createBlocks(say);
  const calls = createCalls();
  const wire = createWireReader();
  let begun = false;
  let text = '';
  let refusal = '';
  let reason = '';
  let usage: Usage | null = null;
  let fault: ChatFault | null = null;
  const hearChoice = ({ delta, message, finish_reason }: Choice): void => {
    // Some servers repeat the whole message in the last chunk of a stream.
    const said = delta ?? (text === '' ? message : null);
    if (said !== null && said !== undefined) {
      const { content, reasoning_content, reasoning, function_call, tool_calls } = said;
      const thought = content.thought + (reasoning_content === '' ? reasoning : reasoning_content);
      if (thought !== '') blocks.say('thinking', thought);
      if (content.text !== '') blocks.say('text', content.text);
      text += content.text;
      refusal += said.refusal + content.refusal;
      for (const [place, call] of tool_calls.entries()) calls.add(call, place);
      if (function_call !== null && function_call !== undefined)
        calls.add({ index: 0, id: '', type: null, function: function_call }, 0);
    }
    if (finish_reason !== '') reason = finish_reason.toLowerCase();
  };
  return {
    hear(data) {
      if (!begun) say({ kind: 'begun' });
      begun = true;
      fault ??= faultSchema.safeParse(data).data ?? null;
      const completion = wire.read(completionSchema, data);
      const told = completion?.usage ?? completion?.x_groq?.usage ?? null;
      if (told !== null) usage = readChatUsage(told, completion?.model ?? model);
      const choice = completion?.choices[0];
      if (choice !== undefined) hearChoice(choice);
      if (reason !== '') blocks.end();
      say({ kind: 'alive' });
    },
    end: () => {
      if (fault !== null) return classifyStreamFault(fault.code, fault.message);
      const parts = calls.parts();
      if (parts.some(({ name }) => name === '')) wire.misread('a tool call without a name');
      const heard = { text, refusal, calls: parts };
      const implied = isWhole && begun ? 'stop' : '';
      return wire.failure() ?? endOf({ ...heard, reason: reason === '' ? implied : reason });
    },
    usage: () => usage,
  };
}

interface Heard {
  readonly text: string;
  readonly refusal: string;
  /** Empty for none. */
  readonly reason: string;
  readonly calls: readonly SaidPart[];
}

function endOf({ text, refusal, reason, calls }: Heard): ModelEnd {
  if (refusal !== '') return { kind: 'empty', message: `the model refused to answer: ${refusal}` };
  switch (reason) {
    case '':
      return brokenOff;
    case 'content_filter':
      return { kind: 'empty', message: 'the filter of the API stopped the answer' };
    case 'error':
      return { kind: 'cut', message: 'the answer ended early: the API reported an error' };
    case 'insufficient_system_resource':
      return { kind: 'cut', message: `the answer ended early: the API reported ${reason}` };
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
  eos: 'end_turn',
  length: 'max_tokens',
  max_tokens: 'max_tokens',
  model_length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
};

interface Call {
  readonly id: string;
  name: string;
  written: string;
}

type ToolCall = Extract<SaidPart, { type: 'tool_call' }>;

/**
 * Collects the pieces of calls that are streamed in parallel. Some servers give no index or number every call 0, so another id
 * is another call; without ids, a name after complete arguments is.
 */
function createCalls() {
  const calls: Call[] = [];
  const current = new Map<number, Call>();
  const isAnother = (open: Call, id: string, name: string): boolean => {
    if (name === '') return false;
    return id === '' ? typeof argumentsIn(open.written) === 'object' && open.written !== '' : id !== open.id;
  };
  return {
    /** @param place the piece's place in its chunk, for servers that give no index */
    add({ index, id, function: { name, arguments: piece } }: CallPiece, place: number): void {
      const at = index ?? place;
      const open = current.get(at);
      if (open === undefined || isAnother(open, id, name)) {
        const call = { id: id === '' ? randomUUID() : id, name, written: piece };
        calls.push(call);
        current.set(at, call);
        return;
      }
      if (open.name === '') open.name = name;
      open.written += piece;
    },
    parts: (): readonly ToolCall[] =>
      calls.map(({ id, name, written }) => ({
        type: 'tool_call',
        id,
        name: decodeToolName(name),
        args: argumentsIn(written),
      })),
  };
}

function readChatUsage(told: ChatUsage, model: string): Usage {
  return usageOfReply({
    model,
    input: told.prompt_tokens,
    cached: told.prompt_tokens_details?.cached_tokens,
    output: told.completion_tokens,
    reasoning: told.completion_tokens_details?.reasoning_tokens,
  });
}
