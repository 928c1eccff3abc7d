// GitHub's API for one repository, limited to what a comment needs.
import { Refusal } from './runner.mjs';

const limitMs = 30_000;
/** The wait for a limit without a time. */
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

/** @returns a function of method, path below the repository and body; it throws `Refusal` and `Unavailable` */
export function connect(
  { GITHUB_API_URL: server, GITHUB_REPOSITORY: repository, INPUT_GITHUB_TOKEN: token = '' },
  waits,
) {
  if (token === '')
    throw new Refusal('there is no token to write the comment with: give the input github-token');
  return async (method, path, body) => {
    for (let attempt = 1; ; attempt++) {
      const startedAt = waits.now();
      try {
        return await send(method, `${server}/repos/${repository}/${path}`, { token, body, now: waits.now });
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        waits.spend(waits.now() - startedAt);
        // A write that failed may have been done: its caller reads first.
        if (method !== 'GET' && !error.isLimit) throw error;
        await waits.after(attempt, error);
      }
    }
  };
}

async function send(method, url, { token, body, now, redirects = 0 }) {
  const { response, text } = await exchange(method, url, { token, body });
  const target = redirects < mostRedirects ? redirectOf(response, { method, url }) : null;
  if (target !== null) return send(method, target, { token, body, now, redirects: redirects + 1 });
  const { pathname } = new URL(url);
  const what = `${method} ${pathname} was answered with ${response.status}`;
  if (!response.ok) throw refusalOf(response, { text, what, now });
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(`${what} in an unknown form`);
  }
}

/** The connection can also end in the middle of the answer. */
async function exchange(method, url, { token, body }) {
  try {
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
    });
    return { response, text: await response.text() };
  } catch (error) {
    throw new Unavailable(
      `${new URL(url).origin} cannot be reached (${error.cause?.code ?? error.name})`,
      null,
    );
  }
}

/** A renamed repository is elsewhere on the same host; a token is for no other host. */
function redirectOf({ status, headers }, { method, url }) {
  const statuses = method === 'GET' ? [301, 302, 307, 308] : [307, 308];
  const location = headers.get('location');
  if (!statuses.includes(status) || location === null || !URL.canParse(location, url)) return null;
  const target = new URL(location, url);
  return target.origin === new URL(url).origin ? target.href : null;
}

function refusalOf({ status, headers }, { text, what, now }) {
  const limitedMs = limitOf({ status, headers, text }, now);
  if (limitedMs !== null) return new Unavailable(what, limitedMs, { isLimit: true });
  if (status >= 500) return new Unavailable(what, retryAfter(headers));
  if (status !== 401 && status !== 403) return new Refusal(what);
  return new Refusal(
    `${what}: the job needs permissions: pull-requests: write; a run of a fork's pull request never gets that, which is why publishing is a separate workflow (workflow_run)`,
  );
}

/** Milliseconds until a limit ends; null if the answer is about something else. */
function limitOf({ status, headers, text }, now) {
  if (status !== 429 && status !== 403) return null;
  const wait = retryAfter(headers);
  if (wait !== null) return wait;
  const reset = Number.parseInt(headers.get('x-ratelimit-reset') ?? '', 10);
  if (headers.get('x-ratelimit-remaining') === '0' && !Number.isNaN(reset))
    return Math.max(0, reset * 1000 - now());
  return status === 429 || /secondary rate limit/i.test(text) ? unknownLimitMs : null;
}

function retryAfter(headers) {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
  return Number.isNaN(seconds) ? null : seconds * 1000;
}
