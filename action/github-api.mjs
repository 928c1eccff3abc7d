// GitHub's API for one repository, limited to what a comment needs.
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from './runner.mjs';

const limitMs = 30_000;
/** The numbers of `collab publish` (ADR 77): attempts of one request, and all waits of the step together. */
const mostTries = 4;
const mostWaitMs = 5 * 60_000;
const unknownLimitMs = 60_000;
const mostRedirects = 3;

/** Another attempt may succeed. `waitMs` is the API's own wait time; null if it sent none. */
export class Unavailable extends Error {
  constructor(message, waitMs, { isLimit = false } = {}) {
    super(message);
    this.waitMs = waitMs;
    /** A request that a limit refused was not done. */
    this.isLimit = isLimit;
  }
}

let leftMs = mostWaitMs;

/** Waits after a failed attempt, and says so; throws a `Refusal` if there is no other attempt. */
export async function waitAfter(tries, { message, waitMs }) {
  const ms = waitMs ?? 1000 * 2 ** (tries - 1);
  const seconds = Math.ceil(ms / 1000);
  if (tries >= mostTries) throw new Refusal(`${message}, in ${tries} attempts`);
  if (ms > leftMs) throw new Refusal(`${message}: run the job again in ${seconds} s`);
  leftMs -= ms;
  process.stdout.write(`${message}; attempt ${tries + 1} of ${mostTries} in ${seconds} s\n`);
  await sleep(ms);
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
    for (let tries = 1; ; tries++) {
      try {
        return await send(method, `${server}/repos/${repository}/${path}`, { token, body });
      } catch (error) {
        // A write that failed may have been done: its caller reads first.
        const mayRepeat = error instanceof Unavailable && (method === 'GET' || error.isLimit);
        if (!mayRepeat) throw error;
        await waitAfter(tries, error);
      }
    }
  };
}

async function send(method, url, { token, body, redirects = 0 }) {
  const { origin, pathname } = new URL(url);
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'user-agent': 'codex-collab',
      'x-github-api-version': '2022-11-28',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(limitMs),
  }).catch((error) => {
    throw new Unavailable(`${origin} cannot be reached (${error.cause?.code ?? error.name})`, null);
  });
  const target = redirects < mostRedirects ? redirectOf(response, { method, url }) : null;
  if (target !== null) return send(method, target, { token, body, redirects: redirects + 1 });
  if (response.ok) return response.status === 204 ? null : response.json();
  const words = await response.text().catch(() => '');
  throw refusalOf(response, { words, what: `${method} ${pathname} was answered with ${response.status}` });
}

/** A renamed repository is elsewhere on the same host; a token is for no other host. */
function redirectOf({ status, headers }, { method, url }) {
  const statuses = method === 'GET' ? [301, 302, 307, 308] : [307, 308];
  const location = headers.get('location');
  if (!statuses.includes(status) || location === null || !URL.canParse(location, url)) return null;
  const target = new URL(location, url);
  return target.origin === new URL(url).origin ? target.href : null;
}

function refusalOf({ status, headers }, { words, what }) {
  const limitedMs = limitOf(status, headers, words);
  if (limitedMs !== null) return new Unavailable(what, limitedMs, { isLimit: true });
  if (status >= 500) return new Unavailable(what, retryAfter(headers));
  if (status !== 401 && status !== 403) return new Refusal(what);
  return new Refusal(
    `${what}: the job needs permissions: pull-requests: write; a run of a fork's pull request never gets that, which is why publishing is a separate workflow (workflow_run)`,
  );
}

/** Milliseconds until a limit ends; null if the answer is about something else. */
function limitOf(status, headers, words) {
  if (status !== 429 && status !== 403) return null;
  const wait = retryAfter(headers);
  if (wait !== null) return wait;
  const reset = Number.parseInt(headers.get('x-ratelimit-reset') ?? '', 10);
  if (headers.get('x-ratelimit-remaining') === '0' && !Number.isNaN(reset))
    return Math.max(0, reset * 1000 - Date.now());
  return status === 429 || /secondary rate limit/i.test(words) ? unknownLimitMs : null;
}

function retryAfter(headers) {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
  return Number.isNaN(seconds) ? null : seconds * 1000;
}
