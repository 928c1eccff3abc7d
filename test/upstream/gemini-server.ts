/** A scripted server of the Gemini API on loopback, for the SDK. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lastIn } from './body-parts.ts';
import { goOn } from './go-on.ts';
import { answerJson, comesWhole, halves } from './messages-events.ts';
import type { MessagesScript, MessagesStep, MessageStep, StatusFault } from './messages-steps.ts';
import {
  startScriptedServer,
  type LoggedRequest,
  type ScriptedServer,
  type ServerOptions,
} from './scripted-server.ts';

export interface GeminiUpstream extends ScriptedServer<MessagesStep> {
  /** The value for `GEMINI_API_BASE` or `baseUrl`. */
  readonly url: string;
}

export async function startGeminiUpstream(
  first: MessagesScript,
  { refusalOf }: ServerOptions = {},
): Promise<GeminiUpstream> {
  const server = await startScriptedServer<MessagesStep>(first, {
    route: /\/v1beta\/models\/[^/]+:(?:streamG|g)enerateContent(\?|$)/,
    refuse: ({ headers }, response) => {
      if (headers['x-goog-api-key'] !== undefined) return false;
      answerFault({ status: 403, message: 'Method doesn’t allow unregistered callers' }, response);
      return true;
    },
    refusalOf,
    answerRefusal: (message, response) => answerFault({ status: 400, message }, response),
    lastInputOf: (body) => lastIn(body, 'contents'),
    answer: answerGemini,
    answerOther: ({ method, url }: IncomingMessage, _text, response) =>
      answerFault({ status: 404, message: `no route ${method} ${url}` }, response),
  });
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}

async function answerGemini(
  step: MessagesStep,
  { index, url }: LoggedRequest,
  response: ServerResponse,
): Promise<void> {
  await step.gate;
  if ('status' in step) return answerFault(step, response);
  if ('hang' in step && step.hang === 'headers') return;
  if ('reset' in step) return void response.destroy();
  if (url.includes(':generateContent')) {
    if (await comesWhole(step, response)) answerJson(response, 200, wholeOf(step, index));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await streamGemini(step, index, response);
}

/** `type` is the `status` of the error, a word. */
function answerFault({ status, headers, type, message, body }: StatusFault, response: ServerResponse): void {
  const error = { code: status, message: message ?? `scripted ${status}`, status: type ?? 'SCRIPTED' };
  answerJson(response, status, body ?? { error }, headers);
}

async function streamGemini(step: MessageStep, index: number, response: ServerResponse): Promise<void> {
  const usageMetadata = { ...defaultUsage, ...step.usage };
  const send = (fields: object): void => {
    response.write(`data: ${JSON.stringify({ modelVersion: 'gemini-scripted', ...fields })}\r\n\r\n`);
  };
  const say = (part: object): void =>
    send({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }], usageMetadata });
  if (step.thinking !== undefined) {
    for (const text of halves(step.thinking)) say({ text, thought: true });
  }
  const [first, rest] = halves(step.text ?? '');
  if (first !== '') say({ text: first });
  const sayError = ({ type: status, message }: { type: string; message: string }): void => {
    const error = { code: streamCodes[status], message, status };
    response.write(`data: ${JSON.stringify({ error })}\r\n\r\n`);
  };
  if (!(await goOn(step, response, sayError))) return;
  if (rest !== '') say({ text: rest });
  for (const part of callsOf(step, index)) say(part);
  const { stopReason = 'STOP' } = step;
  if (stopReason === 'BLOCKED')
    send({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata });
  else send({ candidates: [{ index: 0, finishReason: stopReason }], usageMetadata });
  response.end();
}

function callsOf({ tools = [] }: MessageStep, index: number): readonly object[] {
  return tools.map(({ name, input, id }, place) => ({
    functionCall: { id: id ?? `call_${index}_${place}`, name, args: input },
    // Only the first of parallel calls has a seal.
    ...(place === 0 ? { thoughtSignature: 'c2VhbA==' } : {}),
  }));
}

/** What `generateContent` gives. */
function wholeOf(step: MessageStep, index: number): object {
  const { thinking, text, stopReason: finishReason = 'STOP' } = step;
  const parts = [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...callsOf(step, index),
  ];
  return {
    modelVersion: 'gemini-scripted',
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }],
    usageMetadata: { ...defaultUsage, ...step.usage },
  };
}

const defaultUsage = {
  promptTokenCount: 100,
  cachedContentTokenCount: 10,
  candidatesTokenCount: 15,
  thoughtsTokenCount: 5,
  totalTokenCount: 120,
};

const streamCodes: Readonly<Record<string, number>> = { UNAVAILABLE: 503, PERMISSION_DENIED: 403 };
