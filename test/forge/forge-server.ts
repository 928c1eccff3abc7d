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
  /** Compares a request, and the answer of the host to it, with the description of its API. Returns the differences. */
  readonly check?: (request: ForgeServerRequest, answer: ForgeServerAnswer) => readonly string[];
}

/** `close` fails after an exchange that the loopback cannot take, or that the description of its API does not allow. */
export async function startForgeServer({
  answer,
  faults = [],
  check = () => [],
}: ForgeServerOptions): Promise<ForgeServer> {
  const left = [...faults];
  const requests: string[] = [];
  const logins: (string | undefined)[] = [];
  const wrong = new Set<string>();
  const server = createServer((incoming, response) => {
    void respond(incoming, response);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    logins: () => logins,
    async close() {
      await closeServer(server);
      if (wrong.size > 0) throw new Error(`the loopback and the API differ:\n${[...wrong].join('\n')}`);
    },
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
    const given = fault === undefined || fault.isDone === true ? answerChecked(request) : null;
    if (fault?.answer === 'reset') return void incoming.socket.destroy();
    const { status, headers = {}, body } = fault?.answer ?? given ?? notFound;
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(status === 204 ? undefined : isText ? body : JSON.stringify(body));
  }

  function answerChecked(request: ForgeServerRequest): ForgeServerAnswer {
    try {
      const given = answer(request);
      for (const fault of check(request, given)) wrong.add(fault);
      return given;
    } catch (error) {
      wrong.add(`${request.method} ${request.path}: ${String(error)}`);
      return { status: 400, body: { message: 'Problems parsing JSON' } };
    }
  }
}

export const notFound: ForgeServerAnswer = { status: 404, body: { message: 'Not Found' } };

const documentationUrl = 'https://docs.github.example/rest';

export function unprocessable(message: string): ForgeServerAnswer {
  return { status: 422, body: { message, documentation_url: documentationUrl } };
}
