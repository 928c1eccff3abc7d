/** Requests to the API of a host: limits, waits and repeats. */
import type { ZodType } from 'zod';
import type { ErrorCode } from '../errors/collab-error.ts';
import type { Clock } from '../system/clock.ts';
import { neutralise } from '../text/neutralise.ts';
import { parseJson } from '../text/parse-json.ts';
import { displayForge, type ForgeKind, type PullRequestName } from './contract.ts';
import { ForgeError } from './forge-error.ts';
import type { Login } from './login.ts';

export interface ForgeRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the API's address, or a whole address of the same host. */
  readonly path: string;
  readonly accept?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** True if it changes nothing, so that it may be repeated. Default: for GET. */
  readonly isRead?: boolean;
  /** Default: 16 MiB. */
  readonly mostBytes?: number;
}

export interface ForgeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ForgeClient {
  /** @throws ForgeError */
  readonly send: (request: ForgeRequest) => Promise<ForgeAnswer>;
  /** Returns the JSON of the answer. @throws ForgeError `protocol` if the schema refuses it */
  readonly read: <Content>(request: ForgeRequest, schema: ZodType<Content>) => Promise<Content>;
  /** Returns the items of all pages of a list. @throws ForgeError */
  readonly list: (path: string) => Promise<readonly unknown[]>;
}

/** The requests about one pull request. */
export interface PullRequestClient {
  readonly client: ForgeClient;
  readonly name: PullRequestName;
}

export interface ForgeClientOptions {
  readonly forge: ForgeKind;
  /** Without a slash at its end. */
  readonly api: string;
  readonly login: Login | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

const requestLimitMs = 30_000;
const mostAttempts = 4;
/** A host that asks for a longer wait ends the command. */
const longestWaitMs = 60_000;
const mostPages = 100;
const mostRedirects = 3;

export function createForgeClient(options: ForgeClientOptions): ForgeClient {
  const { api, clock, signal } = options;

  async function send(request: ForgeRequest): Promise<ForgeAnswer> {
    for (let attempt = 1; ; attempt++) {
      const sent = await sendOnce(options, request);
      if (!('fault' in sent)) return sent;
      const { fault, waitMs } = sent;
      if (waitMs === null || attempt === mostAttempts || waitMs > longestWaitMs) throw fault;
      await clock.sleep(waitMs === 0 ? 0 : Math.max(waitMs, 500 * 2 ** (attempt - 1)), signal);
    }
  }

  async function read<Content>(request: ForgeRequest, schema: ZodType<Content>): Promise<Content> {
    const { text } = await send(request);
    const content = schema.safeParse(parseJson(text));
    if (!content.success) throw unreadableAnswer(options.forge, request.path);
    return content.data;
  }

  async function list(path: string): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    let next: string | null = `${path}${path.includes('?') ? '&' : '?'}per_page=100`;
    for (let page = 1; next !== null && page <= mostPages; page++) {
      const { headers, text } = await send({ path: next });
      const found = parseJson(text);
      if (!Array.isArray(found)) throw unreadableAnswer(options.forge, path);
      items.push(...(found as readonly unknown[]));
      next = nextPage(headers.get('link'), api);
    }
    return items;
  }

  return { send, read, list };
}

export function unreadableAnswer(forge: ForgeKind, path: string): ForgeError {
  return new ForgeError('protocol', `${displayForge(forge)} answered ${pathOf(path)} in an unknown form`, {
    status: null,
  });
}

/** A failed request; `waitMs` null: another attempt would fail or is not safe. */
interface Failed {
  readonly fault: ForgeError;
  readonly waitMs: number | null;
}

async function sendOnce(
  options: ForgeClientOptions,
  request: ForgeRequest,
  redirects = 0,
): Promise<ForgeAnswer | Failed> {
  const { api, login, signal, forge } = options;
  const { method = 'GET', path, accept = 'application/json', body, mostBytes = 16 * 1024 * 1024 } = request;
  const url = path.startsWith('http') ? path : `${api}/${path}`;
  const isRead = request.isRead ?? method === 'GET';
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept,
        'user-agent': 'codex-collab',
        ...options.headers,
        ...(login === null ? {} : { authorization: `Bearer ${login.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestLimitMs)]),
    });
    const target = isRead && redirects < mostRedirects ? redirectOf(response, url) : null;
    if (target !== null) {
      await response.body?.cancel();
      return await sendOnce(options, { ...request, path: target }, redirects + 1);
    }
    const text = await readBounded(response, mostBytes);
    if (text === null) return { fault: tooLong(forge, path, mostBytes), waitMs: null };
    const { status, headers } = response;
    return response.ok
      ? { status, headers, text }
      : refused(options, { method, path, isRead, status, headers, text });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const host = new URL(url).host;
    const why = reasonOf(cause);
    const fault = new ForgeError('network', `${host} cannot be reached: ${why}`, {
      status: null,
      isUncertain: !isRead,
      cause,
    });
    return { fault, waitMs: isRead ? 500 : null };
  }
}

/** A renamed repository is elsewhere on the same host; a token is for no other host. */
function redirectOf({ status, headers }: Response, from: string): string | null {
  const location = headers.get('location');
  if (![301, 302, 307, 308].includes(status) || location === null || !URL.canParse(location, from))
    return null;
  const target = new URL(location, from);
  return target.origin === new URL(from).origin ? target.href : null;
}

interface Refused extends ForgeAnswer {
  readonly method: string;
  readonly isRead: boolean;
  readonly path: string;
}

function refused({ forge, login, clock }: ForgeClientOptions, answer: Refused): Failed {
  const { status, headers, method, path, text, isRead } = answer;
  const what = `${displayForge(forge)} answered ${method} ${pathOf(path)} with ${status}`;
  const words = wordsOf(text);
  const message = words === '' ? what : `${what}: ${words}`;
  const limited = limitOf(answer, clock);
  if (limited !== null) {
    const until = new Date(clock.now() + limited).toISOString().slice(11, 16);
    const hint = `Its limit for this login is used up until ${until} UTC: run the command again then.`;
    return { fault: new ForgeError('rate_limit', message, { status, hint }), waitMs: limited };
  }
  if (status >= 500) {
    const fault = new ForgeError('overloaded', message, { status, isUncertain: !isRead });
    return { fault, waitMs: isRead ? (retryAfter(headers) ?? 500) : null };
  }
  return {
    fault: new ForgeError(codeFor(status), message, { status, ...remedy(status, login) }),
    waitMs: null,
  };
}

function codeFor(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'auth';
  return status === 404 || status === 406 ? 'input' : 'protocol';
}

function remedy(status: number, login: Login | null): { readonly hint?: string } {
  if (![401, 403, 404].includes(status)) return {};
  const own =
    login === null
      ? 'No token is set: set GITHUB_TOKEN or GITLAB_TOKEN, or log in with gh auth login or glab auth login.'
      : `Check the address, and what the token of ${login.source} may do.`;
  return { hint: own };
}

/** Milliseconds until a limit ends; null if the answer is about something else. */
function limitOf({ status, headers, text }: Refused, clock: Clock): number | null {
  if (status !== 429 && status !== 403) return null;
  const wait = retryAfter(headers);
  if (wait !== null) return wait;
  const isSpent = headers.get('x-ratelimit-remaining') === '0' || headers.get('ratelimit-remaining') === '0';
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  if (isSpent && Number.isFinite(reset)) return Math.max(0, reset * 1000 - clock.now());
  // Secondary limits may name no time: at least a minute.
  return status === 429 || /secondary rate limit/i.test(text) ? longestWaitMs : null;
}

function retryAfter(headers: Headers): number | null {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10);
  return Number.isNaN(seconds) ? null : seconds * 1000;
}

/** The host's own message, on one line. */
function wordsOf(text: string): string {
  const answer = parseJson(text);
  if (typeof answer !== 'object' || answer === null) return '';
  const { message, error } = answer as { readonly message?: unknown; readonly error?: unknown };
  const found = [message, error].find((value) => typeof value === 'string');
  return typeof found === 'string' ? neutralise(found).replaceAll(/\s+/g, ' ').slice(0, 200) : '';
}

function pathOf(path: string): string {
  return (path.split('?')[0] ?? '').replace(/^https?:\/\/[^/]+/, '');
}

function nextPage(link: string | null, api: string): string | null {
  const [, target] = /<([^>]+)>;\s*rel="next"/.exec(link ?? '') ?? [];
  if (target === undefined || !URL.canParse(target)) return null;
  return new URL(target).origin === new URL(api).origin ? target : null;
}

/** Returns null for a longer text. */
async function readBounded({ body }: Response, mostBytes: number): Promise<string | null> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLong(forge: ForgeKind, path: string, mostBytes: number): ForgeError {
  const size = `${Math.round(mostBytes / 1024 / 1024)} MiB`;
  return new ForgeError('input', `${displayForge(forge)} answered ${pathOf(path)} with more than ${size}`, {
    status: null,
  });
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return `no answer within ${requestLimitMs / 1000} s`;
  const inner: unknown = cause.cause;
  return inner instanceof Error ? inner.message : cause.message;
}
