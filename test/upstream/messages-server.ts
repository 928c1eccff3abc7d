/**
 * A scripted server of the Anthropic Messages API on loopback, for the real `claude` binary and for the SDK: it
 * answers each request to the model with the next step of a script, and keeps the requests. It accepts any model and
 * any key.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerError, answerJson, answerMessages } from './messages-events.ts';
import type { MessagesScript, MessagesStep } from './messages-steps.ts';
import { fieldOf, startScriptedServer, type ScriptedServer, type ServerOptions } from './scripted-server.ts';

export interface MessagesUpstream extends ScriptedServer<MessagesStep> {
  /** The value for `ANTHROPIC_BASE_URL` or `baseURL`. */
  readonly url: string;
}

export async function startMessagesUpstream(
  first: MessagesScript,
  { refusalOf }: ServerOptions = {},
): Promise<MessagesUpstream> {
  const server = await startScriptedServer<MessagesStep>(first, {
    route: /\/v1\/messages(\?|$)/,
    refuse: (request, response) => {
      if (hasKey(request)) return false;
      answerError({ status: 401, message: 'x-api-key header is required' }, response);
      return true;
    },
    lastInputOf,
    refusalOf,
    answerRefusal: (message, response) => answerError({ status: 400, message }, response),
    answer: (step, { index, body }, response) =>
      answerMessages(step, {
        response,
        index,
        model: String(fieldOf(body, 'model')),
        stream: fieldOf(body, 'stream') === true,
      }),
    answerOther,
  });
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}

function hasKey({ headers }: IncomingMessage): boolean {
  return headers['x-api-key'] !== undefined || headers.authorization !== undefined;
}

function answerOther({ method, url = '' }: IncomingMessage, text: string, response: ServerResponse): void {
  if (method === 'POST' && url.includes('/count_tokens')) {
    answerJson(response, 200, { input_tokens: Math.ceil(text.length / 4) });
  } else if (method === 'GET' && url.includes('/v1/models')) {
    answerJson(response, 200, { data: [], has_more: false, first_id: null, last_id: null });
  } else if (method === 'HEAD') {
    response.end();
  } else {
    answerError({ status: 404, message: `no route ${method} ${url}` }, response);
  }
}

/** The last message of a user (or a tool): Claude Code adds messages of the role `system` after it. */
function lastInputOf(body: unknown): string {
  const messages = fieldOf(body, 'messages');
  if (!Array.isArray(messages)) return '';
  return JSON.stringify(messages.findLast((message) => fieldOf(message, 'role') === 'user')) ?? '';
}
