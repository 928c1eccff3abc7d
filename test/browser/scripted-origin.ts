import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { onTestFinished } from 'vitest';
import type { Asked } from '../../src/client/scripted-server.test-helper.ts';
import { closeServer, listen, readRequestText } from '../../src/system/loopback.ts';
import { createArrivals } from '../upstream/loopback.ts';

export interface ScriptedOrigin {
  readonly url: string;
  /** Requests below `/api`. */
  readonly asked: readonly Asked[];
  /** Resolves when the readers of so many answers have disconnected before their end. */
  readonly untilLeft: (count: number) => Promise<void>;
  /** Breaks every connection. */
  readonly cut: () => void;
}

/** A web server on loopback: a page at `/`, and below `/api` one answer after the other. It ends with the test. */
export async function scriptedOrigin(
  html: string,
  answers: readonly (() => Response)[],
): Promise<ScriptedOrigin> {
  const asked: Asked[] = [];
  const departures = createArrivals();
  let left = 0;
  const waiting = [...answers];

  async function answer(request: IncomingMessage): Promise<Response> {
    const { method = '', url = '', headers } = request;
    if (url === '/favicon.ico') return new Response(null, { status: 204 });
    if (!url.startsWith('/api/')) return new Response(html, { headers: { 'content-type': 'text/html' } });
    const lastEventId = [headers['last-event-id'] ?? []].flat()[0] ?? null;
    const texts = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
    const body = await readRequestText(request);
    asked.push({ method, url, lastEventId, headers: Object.fromEntries(texts), body });
    return (waiting.shift() ?? (() => new Response(null, { status: 500 })))();
  }

  const server = createServer((request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) departures.look((left += 1));
    });
    answer(request)
      .then((given) => send(given, response))
      // The script breaks the connection, or the reader has disconnected.
      .catch(() => response.destroy());
  });
  const port = await listen(server);
  onTestFinished(() => closeServer(server));
  return {
    url: `http://127.0.0.1:${port}/`,
    asked,
    untilLeft: (count) => departures.until(count),
    cut: () => server.closeAllConnections(),
  };
}

async function send(given: Response, response: ServerResponse): Promise<void> {
  response.writeHead(given.status, Object.fromEntries(given.headers));
  response.flushHeaders();
  await pipeline(Readable.from(given.body ?? []), response);
}
