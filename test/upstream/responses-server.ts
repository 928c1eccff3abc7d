/**
 * A scripted server of the OpenAI Responses API on loopback, for the real `codex` binary: it answers each request to the
 * model with the next step of a script, and keeps what it was sent.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerStep } from './answer-step.ts';
import { closeServer, createArrivals, listen, parseBody, textOf } from './loopback.ts';
import type { ModelRequest, Script } from './steps.ts';

export interface LoggedRequest extends ModelRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface Upstream {
  /** To be given to Codex as `base_url`. */
  readonly url: string;
  readonly port: number;
  /** Requests to the model, in the order they came. */
  readonly requests: readonly LoggedRequest[];
  /** Everything else that was asked for: "GET /v1/models", "upgrade /v1/responses". */
  readonly others: readonly string[];
  /** Requests to the model whose connection is still open without a whole answer. */
  openTurns(): number;
  /** Takes effect with the next request. */
  play(script: Script): void;
  /** Settles when so many requests to the model have come. */
  untilRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface UpstreamOptions {
  /** To an upgrade to WebSocket: says that there is none, or (as some proxies do) hangs up. */
  readonly upgrade?: 'refuse' | 'hang_up';
}

export async function startUpstream(first: Script, options: UpstreamOptions = {}): Promise<Upstream> {
  let script = first;
  const requests: LoggedRequest[] = [];
  const others: string[] = [];
  const arrivals = createArrivals();
  let open = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    if (request.method !== 'POST' || !/\/responses(\?|$)/.test(request.url ?? '')) {
      others.push(`${request.method} ${request.url}`);
      answerOther(request, response);
      return;
    }
    const body = parseBody(text);
    const logged = {
      index: requests.length,
      text,
      body,
      lastInput: lastInputOf(body),
      headers: request.headers,
    };
    requests.push(logged);
    open += 1;
    response.once('close', () => (open -= 1));
    arrivals.look(requests.length);
    await answerStep(script(logged), logged.index, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(asError(error)));
  });
  server.on('upgrade', (request, socket) => {
    others.push(`upgrade ${request.url}`);
    if (options.upgrade === 'hang_up') socket.destroy();
    else socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n');
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    others,
    openTurns: () => open,
    play: (next) => void (script = next),
    untilRequests: (count) => arrivals.until(count),
    close: () => closeServer(server),
  };
}

function answerOther(request: IncomingMessage, response: ServerResponse): void {
  const known = request.method === 'GET' && /\/models/.test(request.url ?? '');
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
  response.end(known ? '{"models":[],"data":[],"object":"list"}' : '{"error":{"message":"not found"}}');
}

function lastInputOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('input' in body) || !Array.isArray(body.input))
    return '';
  return JSON.stringify(body.input.at(-1)) ?? '';
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
