/** A GitHub on loopback with one repository, shop/till, and its pull requests. */
import {
  notFound,
  startForgeServer,
  type Fault,
  type ForgeServer,
  type ForgeServerAnswer,
} from './forge-server.ts';
import { checkGithub } from './check-github.ts';
import { pullRequestOf } from './github-objects.ts';

export interface WorldPull {
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly base: string;
  readonly head: string;
  /** The change as GitHub sends it; null if it is too large. */
  readonly diff: string | null;
  readonly draft?: boolean;
}

export interface GithubWorldOptions {
  readonly pulls: readonly WorldPull[];
  readonly faults?: readonly Fault[];
}

export interface GithubWorld extends ForgeServer {
  /** The environment of a command whose host this is. */
  readonly env: Readonly<Record<string, string>>;
}

export async function startGithubWorld({ pulls, faults = [] }: GithubWorldOptions): Promise<GithubWorld> {
  const server = await startForgeServer({
    check: checkGithub,
    faults,
    answer({ method, path, headers }) {
      const [, number] = /^\/api\/v3\/repos\/shop\/till\/pulls\/(\d+)$/.exec(path) ?? [];
      const pull = pulls.find((one) => String(one.number) === number);
      if (method !== 'GET' || pull === undefined) return notFound;
      return headers.accept === 'application/vnd.github.diff'
        ? diffOf(pull)
        : { status: 200, body: pullOf(pull) };
    },
  });
  return { ...server, env: { GITHUB_SERVER_URL: server.url } };
}

export function pullOf({ number, title, body, base, head, draft = false }: WorldPull) {
  return pullRequestOf({ number, title, body, base, head, draft });
}

function diffOf({ diff }: WorldPull): ForgeServerAnswer {
  if (diff !== null) return { status: 200, body: diff };
  const message = 'Sorry, the diff exceeded the maximum number of files (300).';
  const errors = [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }];
  return { status: 406, body: { message, errors } };
}
