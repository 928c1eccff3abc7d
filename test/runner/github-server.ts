/**
 * A loopback GitHub: repositories over git's smart protocol. A private one requires the token, and every login is
 * recorded.
 */
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listen } from '../../src/system/loopback.ts';

export interface GithubServer {
  /** `GITHUB_SERVER_URL` */
  readonly url: string;
  /** The Authorization of each request; null if it had none. */
  readonly logins: () => readonly (string | null)[];
  readonly close: () => Promise<void>;
}

export interface GithubOptions {
  /** The folder in which `<owner>/<name>` are bare repositories. */
  readonly repositories: string;
  /** The token that readers need; null if everyone may read. */
  readonly token: string | null;
}

export async function startGithubServer({ repositories, token }: GithubOptions): Promise<GithubServer> {
  const logins: (string | null)[] = [];
  const server = createServer((request, response) => {
    const login = request.headers.authorization ?? null;
    logins.push(login);
    if (token !== null && login !== basic(token)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end();
      return;
    }
    serveGit(repositories, request, response);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, logins: () => logins, close: () => closeServer(server) };
}

export function basic(token: string): string {
  return `basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
}

/** Git's own program for web servers does the work. */
function serveGit(repositories: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: repositories,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.on('close', () => {
    const whole = Buffer.concat(chunks);
    const split = whole.indexOf('\r\n\r\n');
    const headers = whole
      .subarray(0, split)
      .toString('latin1')
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const);
    const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1];
    response.writeHead(
      status === undefined ? 200 : Number.parseInt(status, 10),
      Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'status')),
    );
    response.end(whole.subarray(split + 4));
  });
}
