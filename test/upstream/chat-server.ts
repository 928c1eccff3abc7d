/**
 * A scripted server of Chat Completions on loopback, as OpenAI and compatible servers offer it, for the SDK: it
 * answers each request to the model with the next step of a script, and keeps the requests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lastIn } from './body-parts.ts';
import { goOn } from './go-on.ts';
import { answerJson, comesWhole, halves } from './messages-events.ts';
import type { MessagesScript, MessagesStep, MessageStep, StatusFault } from './messages-steps.ts';
import {
  fieldOf,
  startScriptedServer,
  type LoggedRequest,
  type ScriptedServer,
  type ServerOptions,
} from './scripted-server.ts';

export interface ChatUpstream extends ScriptedServer<MessagesStep> {
  /** The value for `OPENAI_API_BASE` or `baseURL`. */
  readonly url: string;
}

export async function startChatUpstream(
  first: MessagesScript,
  { refusalOf }: ServerOptions = {},
): Promise<ChatUpstream> {
  const server = await startScriptedServer<MessagesStep>(first, {
    route: /\/v1\/chat\/completions(\?|$)/,
    refuse: ({ headers }, response) => {
      if (headers.authorization !== undefined) return false;
      answerFault({ status: 401, message: 'You didn’t provide an API key' }, response);
      return true;
    },
    lastInputOf: (body) => lastIn(body, 'messages'),
    refusalOf,
    answerRefusal: (message, response) => answerFault({ status: 400, message }, response),
    answer: answerChat,
    answerOther: ({ method, url }: IncomingMessage, _text, response) =>
      answerFault({ status: 404, message: `no route ${method} ${url}` }, response),
  });
  return { ...server, url: `http://127.0.0.1:${server.port}/v1` };
}

async function answerChat(
  step: MessagesStep,
  { index, body }: LoggedRequest,
  response: ServerResponse,
): Promise<void> {
  await step.gate;
  if ('status' in step) return answerFault(step, response);
  if ('hang' in step && step.hang === 'headers') return;
  if ('reset' in step) return void response.destroy();
  const place = { id: `chatcmpl-${index}`, model: fieldOf(body, 'model'), response };
  if (fieldOf(body, 'stream') !== true) return answerWhole(step, place);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await streamChat(step, place);
}

/** `type` is the `code` of the error. */
function answerFault({ status, headers, type, message, body }: StatusFault, response: ServerResponse): void {
  const error = {
    message: message ?? `scripted ${status}`,
    type: 'scripted',
    param: null,
    code: type ?? null,
  };
  answerJson(response, status, body ?? { error }, headers);
}

interface Place {
  readonly id: string;
  readonly model: unknown;
  readonly response: ServerResponse;
}

/** Without `stream` the answer is one piece of JSON. */
async function answerWhole(step: MessageStep, { id, model, response }: Place): Promise<void> {
  if (!(await comesWhole(step, response))) return;
  const tool_calls = (step.tools ?? []).map(({ name, input, id: callId }, index) => ({
    id: callId ?? `call_${id}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = {
    role: 'assistant',
    content: step.text ?? null,
    refusal: null,
    ...(step.thinking === undefined ? {} : { reasoning_content: step.thinking }),
    ...(tool_calls.length === 0 ? {} : { tool_calls }),
  };
  const finish_reason = step.stopReason ?? (tool_calls.length > 0 ? 'tool_calls' : 'stop');
  answerJson(response, 200, {
    id,
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason, logprobs: null }],
    usage: { ...defaultUsage, ...step.usage },
  });
}

async function streamChat(step: MessageStep, { id, model, response }: Place): Promise<void> {
  const send = (fields: object): void => {
    const chunk = { id, object: 'chat.completion.chunk', created: 1, model, choices: [], ...fields };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (fields: object, finish_reason: string | null = null): void =>
    send({ choices: [{ index: 0, delta: fields, finish_reason, logprobs: null }] });
  delta({ role: 'assistant', content: '' });
  if (step.thinking !== undefined) {
    for (const piece of halves(step.thinking)) delta({ reasoning_content: piece });
  }
  const [first, rest] = halves(step.text ?? '');
  if (first !== '') delta({ content: first });
  const sayError = ({ type: code, message }: { type: string; message: string }): void =>
    void response.write(`data: ${JSON.stringify({ error: { message, code, type: code } })}\n\n`);
  if (!(await goOn(step, response, sayError))) return;
  if (rest !== '') delta({ content: rest });
  const tools = step.tools ?? [];
  for (const [index, { name, input, id: callId }] of tools.entries()) {
    const [head, tail] = halves(JSON.stringify(input));
    const call = { index, id: callId ?? `call_${id}_${index}`, type: 'function' };
    delta({ tool_calls: [{ ...call, function: { name, arguments: head } }] });
    delta({ tool_calls: [{ index, function: { arguments: tail } }] });
  }
  delta({}, step.stopReason ?? (tools.length > 0 ? 'tool_calls' : 'stop'));
  send({ usage: { ...defaultUsage, ...step.usage } });
  response.end('data: [DONE]\n\n');
}

const defaultUsage = {
  prompt_tokens: 100,
  prompt_tokens_details: { cached_tokens: 10 },
  completion_tokens: 20,
  completion_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
};
