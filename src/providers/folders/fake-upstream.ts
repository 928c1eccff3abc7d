/** A vendor's stand-in for provider checks: a server on loopback with fixed answers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen, readRequestText } from '../../system/loopback.ts';

export interface RecordedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** The body, in chunks. */
  readonly chunks: readonly string[];
}

export type UpstreamAnswer =
  | { readonly kind: 'status'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'garbage' | 'reset' }
  /** Sends this many chunks and then nothing more. */
  | { readonly kind: 'hold'; readonly recorded: RecordedAnswer | null; readonly chunks: number };

export interface FakeUpstream {
  readonly url: string;
  /** Returns the bodies of the requests since the last `answerWith`. */
  readonly bodies: () => readonly string[];
  answerWith(answer: UpstreamAnswer): void;
  /** Resolves when a request has arrived. */
  arrived(): Promise<void>;
  /** Resolves when every connection of the requests so far is closed. */
  left(): Promise<void>;
  close(): Promise<void>;
}

export async function startFakeUpstream(): Promise<FakeUpstream> {
  let answer: UpstreamAnswer = { kind: 'reset' };
  let bodies: string[] = [];
  let closings: Promise<void>[] = [];
  let arrival = createSignal();
  const server = createServer((request, response) => {
    closings.push(new Promise((resolve) => response.once('close', () => resolve())));
    void receive(request, response);
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    bodies: () => bodies,
    answerWith(next) {
      answer = next;
      bodies = [];
      closings = [];
      arrival = createSignal();
    },
    arrived: () => arrival.given,
    left: async () => void (await Promise.all(closings)),
    close: () => closeServer(server),
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      bodies.push(await readRequestText(request));
    } catch {
      // The client disconnected in the middle of its request, so no answer is needed.
      return;
    }
    arrival.give();
    reply(answer, request, response);
  }
}

/** Returns the error body. It also contains the wait, in Google's form, because some SDKs do not expose headers. */
function refusalOf({ status, headers }: Extract<UpstreamAnswer, { kind: 'status' }>): object {
  const seconds = headers['retry-after'];
  const details =
    seconds === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }];
  return { code: status, message: `status ${status}`, details };
}

function createSignal(): { readonly given: Promise<void>; give(): void } {
  const signal = new AbortController();
  const given = new Promise<void>((resolve) => signal.signal.addEventListener('abort', () => resolve()));
  return { given, give: () => signal.abort() };
}

function reply(answer: UpstreamAnswer, request: IncomingMessage, response: ServerResponse): void {
  switch (answer.kind) {
    case 'status':
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(JSON.stringify({ error: refusalOf(answer) }));
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('<<< this is no answer >>>');
      return;
    case 'reset':
      request.socket.destroy();
      return;
    case 'hold':
      response.writeHead(200, answer.recorded?.headers ?? { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      for (const chunk of answer.recorded?.chunks.slice(0, answer.chunks) ?? []) response.write(chunk);
  }
}
