/** Requests to the API of a host: limits, failures and repeats. */
import { z, type ZodType } from 'zod';
import type { ErrorCode } from '../errors/collab-error.ts';
import type { Clock } from '../system/clock.ts';
import { neutralise } from '../text/neutralise.ts';
import { parseJson } from '../text/parse-json.ts';
import { displayForge, type ForgeKind, type PullRequestName } from './contract.ts';
import { ForgeError } from './forge-error.ts';
import type { Login } from './login.ts';
import type { Waits } from './waits.ts';

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
  /** Recognizes an answer with status 200 that is a failure of the host which passes. */
  readonly hostFailureIn?: (text: string) => HostFailure | null;
}

export type HostFailure = 'rate_limit' | 'overloaded';

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
  readonly waits: Waits;
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
  readonly waits: Waits;
  readonly headers?: Readonly<Record<string, string>>;
}

const requestLimitMs = 30_000;
/** The wait for a limit without a time. */
const unknownLimitMs = 60_000;
const dayMs = 24 * 60 * 60_000;
/** The last date with a year of four digits. */
const latestMs = Date.UTC(9999, 11, 31);
const mostPages = 100;
const mostRedirects = 3;

export function createForgeClient(options: ForgeClientOptions): ForgeClient {
  const { api, waits } = options;

  async function send(request: ForgeRequest): Promise<ForgeAnswer> {
    for (let attempt = 1; ; attempt++) {
      const startedAt = waits.clock.now();
      const sent = await sendOnce(options, request);
      if (!('fault' in sent)) return sent;
      waits.spend(waits.clock.now() - startedAt);
      const { fault, isRepeatable } = sent;
      const failure = { why: fault.message, attempt, askedMs: fault.askedMs };
      if (!isRepeatable || !(await waits.waitAfter(failure))) throw fault;
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
    for (let page = 1; next !== null; page++) {
      if (page > mostPages) throw tooManyItems(options.forge, path);
      const { headers, text } = await send({ path: next });
      const found = parseJson(text);
      if (!Array.isArray(found)) throw unreadableAnswer(options.forge, path);
      items.push(...(found as readonly unknown[]));
      next = nextPage(headers.get('link'), api);
    }
    return items;
  }

  return { send, read, list, waits };
}

export function unreadableAnswer(forge: ForgeKind, path: string): ForgeError {
  return new ForgeError('protocol', `${displayForge(forge)} answered ${pathOf(path)} in an unknown form`, {
    status: null,
  });
}

/** The rest of a list that is left out would be written again, or be missed. */
export function tooManyItems(forge: ForgeKind, path: string): ForgeError {
  return new ForgeError(
    'input',
    `${displayForge(forge)} lists more under ${pathOf(path)} than collab reads`,
    {
      status: null,
      hint: 'review and publish the change in another pull request',
    },
  );
}

interface Failed {
  readonly fault: ForgeError;
  /** False if another attempt would fail or is not safe. */
  readonly isRepeatable: boolean;
}

async function sendOnce(
  options: ForgeClientOptions,
  request: ForgeRequest,
  redirects = 0,
): Promise<ForgeAnswer | Failed> {
  const { api, login, forge } = options;
  const { signal } = options.waits;
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
    const target = redirects < mostRedirects ? redirectOf(response, { url, isRead }) : null;
    if (target !== null) {
      await response.body?.cancel();
      return await sendOnce(options, { ...request, path: target }, redirects + 1);
    }
    const text = await readBounded(response, mostBytes);
    if (text === null) return { fault: tooLong(forge, path, mostBytes), isRepeatable: false };
    const { status, headers } = response;
    const passing = response.ok ? (request.hostFailureIn?.(text) ?? null) : null;
    if (response.ok && passing === null) return { status, headers, text };
    return refused(options, { method, path, isRead, status, headers, text, passing });
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const host = new URL(url).host;
    const why = reasonOf(cause);
    const fault = new ForgeError('network', `${host} cannot be reached: ${why}`, {
      status: null,
      isUncertain: !isRead,
      cause,
    });
    return { fault, isRepeatable: isRead };
  }
}

/** A renamed repository is elsewhere on the same host; a token is for no other host. Only two of the statuses are for writes. */
function redirectOf(
  { status, headers }: Response,
  { url, isRead }: { readonly url: string; readonly isRead: boolean },
): string | null {
  const location = headers.get('location');
  const statuses = isRead ? [301, 302, 307, 308] : [307, 308];
  if (!statuses.includes(status) || location === null || !URL.canParse(location, url)) return null;
  const target = new URL(location, url);
  return target.origin === new URL(url).origin ? target.href : null;
}

interface Refused extends ForgeAnswer {
  readonly method: string;
  readonly isRead: boolean;
  readonly path: string;
  readonly passing: HostFailure | null;
}

function refused({ forge, login, waits: { clock } }: ForgeClientOptions, answer: Refused): Failed {
  const { status, headers, method, path, text, isRead, passing } = answer;
  const what = `${displayForge(forge)} answered ${method} ${pathOf(path)} with ${status}`;
  const said = wordsOf(text);
  const message = said === '' ? what : `${what}: ${said}`;
  const limited = limitOf(answer, clock);
  if (limited !== null) {
    const until = timeAfter(limited, clock);
    const hint = `Its limit for this login is used up until ${until}: run the command again then.`;
    // A request that a limit refused was not done.
    const fault = new ForgeError('rate_limit', message, { status, hint, askedMs: limited });
    return { fault, isRepeatable: true };
  }
  if (status >= 500 || passing === 'overloaded') {
    const askedMs = retryAfter(headers, clock);
    const hint =
      askedMs === null
        ? {}
        : { hint: `It asks to wait until ${timeAfter(askedMs, clock)}: run the command again then.` };
    const facts = { status, isUncertain: !isRead, askedMs, ...hint };
    return { fault: new ForgeError('overloaded', message, facts), isRepeatable: isRead };
  }
  return {
    fault: new ForgeError(codeFor(status), message, { status, ...remedy(status, login) }),
    isRepeatable: false,
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
function limitOf({ status, headers, text, passing }: Refused, clock: Clock): number | null {
  const isLimit = status === 429 || passing === 'rate_limit';
  if (!isLimit && status !== 403) return null;
  const wait = retryAfter(headers, clock);
  if (wait !== null) return wait;
  const isSpent = headers.get('x-ratelimit-remaining') === '0' || headers.get('ratelimit-remaining') === '0';
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN);
  if (isSpent && Number.isFinite(reset)) return Math.max(0, reset * 1000 - clock.now());
  // Secondary limits may name no time: at least a minute.
  return isLimit || /secondary rate limit/i.test(text) ? unknownLimitMs : null;
}

/** RFC 9110, 10.2.3: seconds or a date. */
function retryAfter(headers: Headers, clock: Clock): number | null {
  const asked = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  const at = Date.parse(asked);
  return Number.isNaN(at) ? null : Math.max(0, at - clock.now());
}

/** Hours and minutes; the date from a day on. */
function timeAfter(ms: number, clock: Clock): string {
  const at = new Date(Math.min(clock.now() + ms, latestMs)).toISOString();
  return ms < dayMs ? `${at.slice(11, 16)} UTC` : at.slice(0, 10);
}

const words = z.string().optional().catch(undefined);
const refusalSchema = z.looseObject({
  message: words,
  error: words,
  errors: z
    .array(z.looseObject({ message: words }))
    .optional()
    .catch(undefined),
});

/** The host's own message, on one line. */
function wordsOf(text: string): string {
  const { message, error, errors } = refusalSchema.safeParse(parseJson(text)).data ?? {};
  return hostWords(message ?? error ?? errors?.[0]?.message ?? '');
}

/** Returns a message of the host on one line, safe to print and short. */
export function hostWords(text: string): string {
  return neutralise(text).replaceAll(/\s+/g, ' ').slice(0, 200);
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
