/**
 * A scripted server of the Anthropic Messages API on loopback, for the real `claude` binary and for the SDK: it answers each
 * request to the model with the next step of a script, and keeps what it was sent. It takes any model and any key.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, createArrivals, listen, parseBody, textOf } from './loopback.ts';
import { answerError, answerJson, answerMessages } from './messages-events.ts';
import type { MessagesScript } from './messages-steps.ts';
import type { ModelRequest } from './steps.ts';

export interface LoggedMessages extends ModelRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface MessagesUpstream {
  /** To be given as `ANTHROPIC_BASE_URL` or `baseURL`. */
  readonly url: string;
  readonly port: number;
  /** Requests to the model, in the order they came. */
  readonly requests: readonly LoggedMessages[];
  /** Everything else that was asked for: "POST /v1/messages/count_tokens". */
  readonly others: readonly string[];
  /** Requests to the model whose connection is still open without a whole answer. */
  openTurns(): number;
  /** Takes effect with the next request. */
  play(script: MessagesScript): void;
  /** Settles when so many requests to the model have come. */
  untilRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startMessagesUpstream(first: MessagesScript): Promise<MessagesUpstream> {
  let script = first;
  const requests: LoggedMessages[] = [];
  const others: string[] = [];
  const arrivals = createArrivals();
  let open = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    if (request.method !== 'POST' || !/\/v1\/messages(\?|$)/.test(request.url ?? '')) {
      others.push(`${request.method} ${request.url}`);
      answerOther(request, text, response);
      return;
    }
    if (!hasKey(request)) {
      answerError({ status: 401, message: 'x-api-key header is required' }, response);
      return;
    }
    const body = parseBody(text);
    const index = requests.length;
    const logged = { index, text, body, lastInput: lastInputOf(body), headers: request.headers };
    requests.push(logged);
    open += 1;
    response.once('close', () => (open -= 1));
    arrivals.look(requests.length);
    const model = String(fieldOf(body, 'model'));
    await answerMessages(script(logged), {
      response,
      index,
      model,
      stream: fieldOf(body, 'stream') === true,
    });
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    others,
    openTurns: () => open,
    play: (next) => void (script = next),
    untilRequests: (count) => arrivals.until(count),
    close: () => closeServer(server),
  };
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

/** What a user (or a tool) said last: Claude Code adds messages of the role `system` behind it. */
function lastInputOf(body: unknown): string {
  const messages = fieldOf(body, 'messages');
  if (!Array.isArray(messages)) return '';
  return JSON.stringify(messages.findLast((message) => fieldOf(message, 'role') === 'user')) ?? '';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
