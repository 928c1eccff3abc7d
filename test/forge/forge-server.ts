/** A loopback host of pull requests: its requests, its faults and its answers. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen, readRequestText } from '../../src/system/loopback.ts';
import { parseBody } from '../upstream/loopback.ts';

export interface ForgeServerRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface ForgeServerAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body: unknown;
}

export interface Fault {
  /** `reset`: the connection ends without an answer. */
  readonly answer: ForgeServerAnswer | 'reset';
  /** True if the request has its effect nevertheless. */
  readonly isDone?: boolean;
  /** Default: the next request. */
  readonly when?: (request: ForgeServerRequest) => boolean;
}

export interface ForgeServer {
  /** The address of the host, without a slash at its end. */
  readonly url: string;
  /** Method and path of each request, without the query. */
  readonly requests: () => readonly string[];
  readonly logins: () => readonly (string | undefined)[];
  readonly close: () => Promise<void>;
}

export interface ForgeServerOptions {
  readonly answer: (request: ForgeServerRequest) => ForgeServerAnswer;
  readonly faults?: readonly Fault[];
}

export async function startForgeServer({ answer, faults = [] }: ForgeServerOptions): Promise<ForgeServer> {
  const left = [...faults];
  const requests: string[] = [];
  const logins: (string | undefined)[] = [];
  const server = createServer((incoming, response) => {
    void respond(incoming, response);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    logins: () => logins,
    close: () => closeServer(server),
  };

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readRequestText(incoming);
    const url = new URL(incoming.url ?? '/', 'http://loopback');
    const request: ForgeServerRequest = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: parseBody(text),
    };
    requests.push(`${request.method} ${request.path}`);
    logins.push(incoming.headers.authorization);
    const at = left.findIndex(({ when = () => true }) => when(request));
    const [fault] = at === -1 ? [] : left.splice(at, 1);
    const given = fault === undefined || fault.isDone === true ? answer(request) : null;
    if (fault?.answer === 'reset') return void incoming.socket.destroy();
    const { status, headers = {}, body } = fault?.answer ?? given ?? notFound;
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(status === 204 ? undefined : isText ? body : JSON.stringify(body));
  }
}

export const notFound: ForgeServerAnswer = { status: 404, body: { message: 'Not Found' } };
