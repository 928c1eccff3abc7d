/** A loopback of GitHub's interface: the comments of pull requests, as far as publishing one needs it. */
import { createServer, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { closeServer, listen, readRequestText } from '../../src/system/loopback.ts';
import { parseBody } from '../upstream/loopback.ts';

export interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly login: string };
}

export interface ApiOptions {
  readonly comments?: readonly Comment[];
  /** What `pulls` answers. */
  readonly pulls?: readonly unknown[];
  /** May the token write? */
  readonly isReadOnly?: boolean;
  /** The author of new comments. */
  readonly author?: string;
  /** Faults of the next writing requests: the response, and whether the change was made nevertheless. */
  readonly faults?: readonly { readonly status: number; readonly isDone: boolean }[];
  /** Answers to the next reading requests. */
  readonly refusals?: readonly {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  }[];
}

export interface ApiServer {
  /** `GITHUB_API_URL` */
  readonly url: string;
  readonly comments: () => readonly Comment[];
  /** Method and path of each request. */
  readonly requests: () => readonly string[];
  /** The Authorization of every request. */
  readonly logins: () => ReadonlySet<string | undefined>;
  readonly close: () => Promise<void>;
}

const bodySchema = z.object({ body: z.string() });

export async function startApiServer(options: ApiOptions = {}): Promise<ApiServer> {
  let comments = [...(options.comments ?? [])];
  const faults = [...(options.faults ?? [])];
  const refusals = [...(options.refusals ?? [])];
  const requests: string[] = [];
  const logins = new Set<string | undefined>();
  const server = createServer((request, response) => {
    void readRequestText(request).then((text) => {
      const method = request.method ?? '';
      const url = new URL(request.url ?? '/', 'http://loopback');
      const path = url.pathname.replace('/repos/shop/till/', '');
      requests.push(`${method} ${path}${url.search}`);
      logins.add(request.headers.authorization);
      const refusal = method === 'GET' ? refusals.shift() : undefined;
      if (refusal !== undefined) return void response.writeHead(refusal.status, refusal.headers).end('{}');
      if (method === 'GET') return answer(response, 200, read(path, url.searchParams));
      if (options.isReadOnly === true) {
        response.writeHead(403).end('{}');
        return;
      }
      const fault = faults.shift();
      const written = fault === undefined || fault.isDone ? write(method, path, text) : null;
      const done = method === 'DELETE' ? 204 : 200;
      return fault === undefined ? answer(response, done, written) : answer(response, fault.status, {});
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    url,
    comments: () => comments,
    requests: () => requests,
    logins: () => logins,
    close: () => closeServer(server),
  };

  function read(path: string, query: URLSearchParams): unknown {
    if (path === 'pulls') return options.pulls ?? [];
    if (path.startsWith('pulls/')) return options.pulls?.[0];
    const [size, page] = ['per_page', 'page'].map((name) => Number(query.get(name)));
    return comments.slice(((page ?? 1) - 1) * (size ?? 30), (page ?? 1) * (size ?? 30));
  }

  function write(method: string, path: string, text: string): unknown {
    const id = Number(path.split('/').at(-1));
    if (method === 'DELETE') {
      comments = comments.filter((comment) => comment.id !== id);
      return null;
    }
    const { body } = bodySchema.parse(parseBody(text));
    if (method === 'PATCH')
      comments = comments.map((comment) => (comment.id === id ? { ...comment, body } : comment));
    else
      comments.push({
        id: comments.length + 1000,
        body,
        user: { login: options.author ?? 'github-actions[bot]' },
      });
    return { html_url: `https://github.example/shop/till/pull/7#${method}` };
  }
}

function answer(response: ServerResponse, status: number, value: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
    .end(status === 204 ? undefined : JSON.stringify(value));
}
