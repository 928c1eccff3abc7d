/** Turns the events of a response into signs for the loop, and folds them into a result. */
import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { Usage } from '../../events/collab-event.ts';
import { systemClock } from '../../system/clock.ts';
import { decodeToolName } from '../../tools/definition/tool-name.ts';
import { createBlocks } from '../client/blocks.ts';
import type { ModelEnd, ModelSign, SaidPart } from '../contract/model.ts';
import { classifyFault } from './errors.ts';
import { argumentsIn, brokenOff, usageOf, type Hearing } from '../api/hearing.ts';
import { reasoningSchema } from './responses-request.ts';

export function createResponsesHearing(
  model: string,
  say: (sign: ModelSign) => void,
): Hearing<ResponseStreamEvent> {
  const blocks = createBlocks(say);
  const items: ResponseOutputItem[] = [];
  let end: ModelEnd = brokenOff;
  let usage: Usage | null = null;
  const settle = (response: Response): void => {
    blocks.end();
    end = endOf(response, items);
    const { usage: told } = response;
    if (told !== undefined && told !== null) usage = readResponsesUsage(told, response.model || model);
    say({ kind: 'alive' });
  };
  return {
    hear(event) {
      switch (event.type) {
        case 'response.created':
          return say({ kind: 'begun' });
        case 'response.output_text.delta':
          return blocks.say('text', event.delta);
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return blocks.say('thinking', event.delta);
        case 'response.output_item.done':
          blocks.end();
          items.push(event.item);
          return say({ kind: 'alive' });
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
          return settle(event.response);
        case 'error':
          end = faultOf(event.code, event.message);
          return say({ kind: 'alive' });
        default:
          return say({ kind: 'alive' });
      }
    },
    end: () => end,
    usage: () => usage,
  };
}

function endOf(
  { status, error, incomplete_details }: Response,
  items: readonly ResponseOutputItem[],
): ModelEnd {
  if (status === 'failed') return faultOf(error?.code ?? null, error?.message ?? 'the response failed');
  const reason = incomplete_details?.reason;
  if (reason === 'content_filter') {
    return { kind: 'empty', message: 'the filter of the API stopped the answer' };
  }
  const refusal = items.flatMap(refusalIn).join(' ');
  if (refusal !== '') return { kind: 'empty', message: `the model refused to answer: ${refusal}` };
  const parts = items.flatMap(partsOf);
  const calls = parts.some(({ type }) => type === 'tool_call');
  return {
    kind: 'said',
    parts,
    stopReason: reason === 'max_output_tokens' ? 'max_tokens' : (reason ?? (calls ? 'tool_use' : 'end_turn')),
  };
}

/** Maps a fault in a stream, which has no status; an unknown one counts as a broken-off answer. */
function faultOf(code: string | null, message: string): ModelEnd {
  const fault = { status: undefined, type: code, message, headers: undefined, unreachable: false };
  return classifyFault(fault, systemClock.now());
}

function refusalIn(item: ResponseOutputItem): readonly string[] {
  if (item.type !== 'message') return [];
  return item.content.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
}

function partsOf(item: ResponseOutputItem): readonly SaidPart[] {
  switch (item.type) {
    case 'message':
      return item.content.flatMap((part): readonly SaidPart[] =>
        part.type === 'output_text' && part.text !== '' ? [{ type: 'text', text: part.text }] : [],
      );
    case 'function_call': {
      const { call_id, name, arguments: written } = item;
      return [{ type: 'tool_call', id: call_id, name: decodeToolName(name), args: argumentsIn(written) }];
    }
    case 'reasoning': {
      const sealed = reasoningSchema.safeParse(item);
      return sealed.success ? [{ type: 'opaque', value: sealed.data }] : [];
    }
    default:
      // Items of tools that run at the API; none is ever requested.
      return [];
  }
}

function readResponsesUsage(usage: ResponseUsage, model: string): Usage {
  return usageOf({
    model,
    input: usage.input_tokens,
    cached: usage.input_tokens_details?.cached_tokens,
    output: usage.output_tokens,
    reasoning: usage.output_tokens_details?.reasoning_tokens,
  });
}
