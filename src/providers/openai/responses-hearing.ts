/** Turns the events of a response into signs for the loop, and folds them into a result. */
import { randomUUID } from 'node:crypto';
import type { Usage } from '../../events/collab-event.ts';
import { decodeToolName } from '../../tools/definition/tool-name.ts';
import { argumentsIn, brokenOff, usageOfReply, type Hearing } from '../client/hearing.ts';
import { createWireReader, typed } from '../api/wire.ts';
import { createBlocks } from '../client/blocks.ts';
import type { ModelEnd, ModelSign, SaidPart } from '../contract/model.ts';
import { classifyStreamFault } from './errors.ts';
import { reasoningSchema } from './responses-request.ts';
import {
  callSchema,
  deltaSchema,
  errorEventSchema,
  itemDoneSchema,
  messageSchema,
  responseSchema,
  settledSchema,
  thoughtSchema,
  type ResponsesUsage,
  type WireResponse,
} from './responses-wire.ts';

type Item = WireResponse['output'][number];

export interface ResponsesHearing extends Hearing {
  /** Takes a response that arrived as a whole. */
  hearWhole(response: unknown): void;
}

export function createResponsesHearing(model: string, say: (sign: ModelSign) => void): ResponsesHearing {
  const blocks = createBlocks(say);
  const wire = createWireReader();
  const parts: SaidPart[] = [];
  let refusal = '';
  let isShown = false;
  let end: ModelEnd = brokenOff;
  let usage: Usage | null = null;
  const keep = (item: Item): void => {
    switch (item.type) {
      case 'message':
        for (const part of wire.read(messageSchema, item)?.content ?? []) {
          if (part.type === 'refusal') refusal = [refusal, part.refusal].join(' ').trim();
          else if (part.text !== '') parts.push({ type: 'text', text: part.text });
        }
        return;
      case 'function_call': {
        const call = wire.read(callSchema, item);
        if (call === null) return;
        const id = call.call_id === '' ? randomUUID() : call.call_id;
        const args = argumentsIn(call.arguments);
        parts.push({ type: 'tool_call', id, name: decodeToolName(call.name), args });
        return;
      }
      case 'reasoning': {
        // A thought without its seal is only shown.
        if ((wire.read(thoughtSchema, item)?.encrypted_content ?? '') === '') return;
        const sealed = wire.read(reasoningSchema, item);
        if (sealed !== null) parts.push({ type: 'opaque', value: sealed });
        return;
      }
      default:
      // Items of tools that run at the API; none is ever requested.
    }
  };
  /** Keeps an item that came with the response only, and shows it if no event has. */
  const hearItem = (item: Item): void => {
    const already = parts.length;
    keep(item);
    if (isShown) return;
    for (const part of parts.slice(already)) if (part.type === 'text') blocks.say('text', part.text);
    if (item.type === 'reasoning')
      for (const { text } of wire.read(thoughtSchema, item)?.summary ?? []) blocks.say('thinking', text);
    blocks.end();
  };
  const settle = (response: WireResponse | undefined, type: string): void => {
    if (response === undefined) return;
    // Some gateways send the items only with the response.
    if (parts.length === 0 && refusal === '') for (const item of response.output) hearItem(item);
    blocks.end();
    const status = response.status === '' ? type.replace('response.', '') : response.status;
    end = endOf({ ...response, status }, { parts, refusal });
    const { usage: told } = response;
    if (told !== null && told !== undefined) usage = readResponsesUsage(told, response.model ?? model);
  };
  const show = (kind: 'text' | 'thinking', event: unknown): void => {
    isShown = true;
    blocks.say(kind, wire.read(deltaSchema, event)?.delta ?? '');
  };
  const hearEvent = (type: string, event: unknown): void => {
    switch (type) {
      case 'response.created':
        return say({ kind: 'begun' });
      case 'response.output_text.delta':
        return show('text', event);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return show('thinking', event);
      case 'response.output_item.done': {
        blocks.end();
        const done = wire.read(itemDoneSchema, event);
        if (done !== null) keep(done.item);
        return say({ kind: 'alive' });
      }
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        settle(wire.read(settledSchema, event)?.response, type);
        return say({ kind: 'alive' });
      case 'error': {
        const { code, message = 'the response failed' } = wire.read(errorEventSchema, event) ?? {};
        end = classifyStreamFault(code, message);
        return say({ kind: 'alive' });
      }
      default:
        return say({ kind: 'alive' });
    }
  };
  return {
    hear(event) {
      const { type } = wire.read(typed, event) ?? { type: '' };
      hearEvent(type, event);
    },
    hearWhole(response) {
      say({ kind: 'begun' });
      settle(wire.read(responseSchema, response) ?? undefined, 'response.completed');
      say({ kind: 'alive' });
    },
    end: () => wire.failure() ?? end,
    usage: () => usage,
  };
}

interface Heard {
  readonly parts: readonly SaidPart[];
  readonly refusal: string;
}

function endOf(
  { status, error, incomplete_details }: Pick<WireResponse, 'status' | 'error' | 'incomplete_details'>,
  { parts, refusal }: Heard,
): ModelEnd {
  if (status === 'failed') {
    const message = error?.message ?? '';
    return classifyStreamFault(error?.code, message === '' ? 'the response failed' : message);
  }
  const reason = incomplete_details?.reason ?? '';
  if (reason === 'content_filter') {
    return { kind: 'empty', message: 'the filter of the API stopped the answer' };
  }
  if (refusal !== '') return { kind: 'empty', message: `the model refused to answer: ${refusal}` };
  if (status === 'incomplete' && reason === '') return brokenOff;
  const calls = parts.some(({ type }) => type === 'tool_call');
  const implied = calls ? 'tool_use' : 'end_turn';
  return {
    kind: 'said',
    parts,
    stopReason: reason === 'max_output_tokens' ? 'max_tokens' : reason === '' ? implied : reason,
  };
}

function readResponsesUsage(told: ResponsesUsage, model: string): Usage {
  return usageOfReply({
    model,
    input: told.input_tokens,
    cached: told.input_tokens_details?.cached_tokens,
    output: told.output_tokens,
    reasoning: told.output_tokens_details?.reasoning_tokens,
  });
}
