/** Writes one step as the Messages API would: a stream of events, one JSON message, or an error. */
import type { ServerResponse } from 'node:http';
import { sendEndlessText } from './endless-text.ts';
import { goOn, isBroken } from './go-on.ts';
import type { MessagesStep, MessageStep, StatusFault } from './messages-steps.ts';

export interface MessagesAnswer {
  readonly response: ServerResponse;
  /** The number of the request; part of every id. */
  readonly index: number;
  /** The requested model is named as the answering one. */
  readonly model: string;
  readonly stream: boolean;
}

export async function answerMessages(step: MessagesStep, answer: MessagesAnswer): Promise<void> {
  await step.gate;
  if ('status' in step) return answerError(step, answer.response);
  if ('hang' in step && step.hang === 'headers') return;
  if ('reset' in step) return void answer.response.destroy();
  const message = messageOf(step, answer);
  if (answer.stream) return streamMessage(step, message, answer.response);
  if (await comesWhole(step, answer.response)) answerJson(answer.response, 200, message);
}

/** Sends an answer that is not streamed. Returns false if the script does something else. */
export async function comesWhole(step: MessageStep, response: ServerResponse): Promise<boolean> {
  await step.midway;
  if (!isBroken(step)) return true;
  if (step.streamError !== undefined) answerError({ status: 500, ...step.streamError }, response);
  else if (step.hang === undefined) response.destroy();
  return false;
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function answerError(fault: StatusFault, response: ServerResponse): void {
  const type = fault.type ?? errorTypes[fault.status] ?? 'api_error';
  const error = { type, message: fault.message ?? `scripted ${fault.status}` };
  const body = fault.body ?? { type: 'error', error, request_id: 'req_scripted' };
  answerJson(response, fault.status, body, fault.headers);
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

type Block =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string; readonly citations: null }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object };

interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: string;
  readonly usage: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

function messageOf(step: MessageStep, { index, model }: MessagesAnswer): Message {
  const tools = step.tools ?? [];
  return {
    id: `msg_scripted_${index}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(step.thinking === undefined
        ? []
        : [{ type: 'thinking' as const, thinking: step.thinking, signature: 'c2NyaXB0ZWQ=' }]),
      ...(step.text === undefined ? [] : [{ type: 'text' as const, text: step.text, citations: null }]),
      ...tools.map(({ name, input, id }, place) => ({
        type: 'tool_use' as const,
        id: id ?? `toolu_scripted_${index}_${place}`,
        name,
        input,
      })),
    ],
    stop_reason: step.stopReason ?? (tools.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: { ...defaultUsage, ...step.usage },
  };
}

const defaultUsage = {
  input_tokens: 120,
  cache_creation_input_tokens: 1000,
  cache_read_input_tokens: 2000,
  cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 0 },
  output_tokens: 34,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: 'standard',
};

type Send = (type: string, fields: object) => void;

async function streamMessage(step: MessageStep, message: Message, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send: Send = (type, fields) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
  const begun = { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } };
  send('message_start', { message: begun });
  send('ping', {});
  if (
    isBroken(step) &&
    step.text === undefined &&
    !(await goOn(step, response, (error) => send('error', { error })))
  )
    return;
  for (const [index, block] of message.content.entries()) {
    if (!(await streamBlock(step, block, { index, send, response }))) return;
  }
  const { stop_reason, usage } = message;
  send('message_delta', {
    delta: { stop_reason, stop_sequence: null, stop_details: null, container: null },
    usage,
  });
  send('message_stop', {});
  response.end();
}

interface BlockOutput {
  readonly index: number;
  readonly send: Send;
  readonly response: ServerResponse;
}

/** False when the script ends the answer in the middle of the block. */
async function streamBlock(step: MessageStep, block: Block, output: BlockOutput): Promise<boolean> {
  const { index, send, response } = output;
  const delta = (fields: object): void => send('content_block_delta', { index, delta: fields });
  send('content_block_start', { index, content_block: emptied(block) });
  if (block.type === 'thinking') {
    for (const piece of piecesOf(block.thinking, step.pieceLength ?? block.thinking.length))
      delta({ type: 'thinking_delta', thinking: piece });
    delta({ type: 'signature_delta', signature: block.signature });
  } else if (block.type === 'tool_use') {
    for (const piece of halves(JSON.stringify(block.input)))
      delta({ type: 'input_json_delta', partial_json: piece });
  } else {
    const say = (text: string): void => {
      for (const piece of piecesOf(text, step.pieceLength ?? text.length))
        delta({ type: 'text_delta', text: piece });
    };
    const [first, rest] = halves(block.text);
    say(first);
    if (step.endless === true) {
      await sendEndlessText(response, say);
      return false;
    }
    if (!(await goOn(step, response, (error) => send('error', { error })))) return false;
    say(rest);
  }
  send('content_block_stop', { index });
  return true;
}

/** At least one, which may be empty. */
function piecesOf(text: string, length: number): readonly string[] {
  const count = Math.max(1, Math.ceil(text.length / Math.max(1, length)));
  return Array.from({ length: count }, (_, index) => text.slice(index * length, (index + 1) * length));
}

function emptied(block: Block): object {
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
}

export function halves(text: string): readonly [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
