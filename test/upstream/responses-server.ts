/**
 * A scripted server of the OpenAI Responses API on loopback, for the real `codex` binary: it answers each request to
 * the model with the next step of a script, and keeps the requests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerStep } from './answer-step.ts';
import { fieldOf, startScriptedServer, type ScriptedServer, type ServerOptions } from './scripted-server.ts';
import type { Script, Step } from './steps.ts';

export interface Upstream extends ScriptedServer<Step> {
  /** The value of `base_url` for Codex. */
  readonly url: string;
}

export interface UpstreamOptions extends ServerOptions {
  /** To an upgrade to WebSocket: refuses it, or (as some proxies do) hangs up. */
  readonly upgrade?: 'refuse' | 'hang_up';
}

export async function startUpstream(first: Script, options: UpstreamOptions = {}): Promise<Upstream> {
  const server = await startScriptedServer<Step>(first, {
    route: /\/responses(\?|$)/,
    lastInputOf,
    refusalOf: options.refusalOf,
    answerRefusal: (message, response) =>
      void answerStep({ status: 400, body: { error: { message } } }, 0, response, true),
    answer: (step, { index, body }, response) =>
      answerStep(step, index, response, fieldOf(body, 'stream') === true),
    answerOther,
    prepare: (http, others) => {
      http.on('upgrade', (request, socket) => {
        others.push(`upgrade ${request.url}`);
        if (options.upgrade === 'hang_up') socket.destroy();
        else socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\n\r\n');
      });
    },
  });
  return { ...server, url: `http://127.0.0.1:${server.port}/v1` };
}

function answerOther(request: IncomingMessage, _text: string, response: ServerResponse): void {
  const known = request.method === 'GET' && /\/models/.test(request.url ?? '');
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
  response.end(known ? '{"models":[],"data":[],"object":"list"}' : '{"error":{"message":"not found"}}');
}

function lastInputOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('input' in body) || !Array.isArray(body.input))
    return '';
  return JSON.stringify(body.input.at(-1)) ?? '';
}
