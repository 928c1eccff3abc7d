// GitHub's API for one repository, limited to what a comment needs.
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from './runner.mjs';

const limitMs = 30_000;
const longestWaitMs = 60_000;

/** Another attempt may succeed. `waitMs` is the API's own wait time; null if it sent none. */
export class Unavailable extends Error {
  constructor(message, waitMs) {
    super(message);
    this.waitMs = waitMs;
  }
}

export function waitBefore(tries, { waitMs }) {
  return sleep(Math.min(waitMs ?? 2000 * 2 ** (tries - 1), longestWaitMs));
}

/** @returns a function of method, path below the repository and body; it throws `Refusal` and `Unavailable` */
export function connect({
  GITHUB_API_URL: server,
  GITHUB_REPOSITORY: repository,
  INPUT_GITHUB_TOKEN: token = '',
}) {
  if (token === '')
    throw new Refusal('there is no token to write the comment with: give the input github-token');
  return async (method, path, body) => {
    const response = await fetch(`${server}/repos/${repository}/${path}`, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'codex-collab',
        'x-github-api-version': '2022-11-28',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs),
    }).catch((error) => {
      throw new Unavailable(`${server} cannot be reached (${error.cause?.code ?? error.name})`, null);
    });
    if (response.ok) return response.status === 204 ? null : response.json();
    throw refusalOf(response, `${method} ${path.split('?')[0]} was answered with ${response.status}`);
  };
}

function refusalOf({ status, headers }, what) {
  const wait = Number.parseInt(headers.get('retry-after') ?? '', 10);
  const waitMs = Number.isNaN(wait) ? null : wait * 1000;
  if (status >= 500 || status === 429 || (status === 403 && waitMs !== null))
    return new Unavailable(what, waitMs);
  if (status !== 401 && status !== 403) return new Refusal(what);
  return new Refusal(
    `${what}: the job needs permissions: pull-requests: write; a run of a fork's pull request never gets that, which is why publishing is a separate workflow (workflow_run)`,
  );
}
