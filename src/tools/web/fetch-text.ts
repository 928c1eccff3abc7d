/**
 * Fetches one text from the web, within limits. Checks the address when it connects, so that no host name leads
 * elsewhere.
 */
import { lookup, type LookupAddress } from 'node:dns';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Refused } from '../files/inside-path.ts';
import { isPublicAddress } from './public-address.ts';

export interface FetchRules {
  /** Host names, `*.example.org` for all subdomains; null for any host. */
  readonly hosts: readonly string[] | null;
  /** Also allows this machine and its network. */
  readonly privateAddresses: boolean;
}

export interface FetchedText {
  readonly ok: true;
  readonly url: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly cut: boolean;
}

const maxRedirects = 5;
const maxBytes = 1024 * 1024;
const limitMs = 20_000;

/** Rejects with the signal's reason for an abort. */
export async function fetchText(
  written: string,
  rules: FetchRules,
  signal: AbortSignal,
): Promise<FetchedText | Refused> {
  const limit = AbortSignal.timeout(limitMs);
  const both = AbortSignal.any([signal, limit]);
  try {
    return await follow(written, rules, both);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return { ok: false, why: `${written} did not answer within ${limitMs / 1000} s.` };
    return {
      ok: false,
      why: `${written} cannot be fetched: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function follow(
  written: string,
  rules: FetchRules,
  signal: AbortSignal,
): Promise<FetchedText | Refused> {
  let address = written;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const url = URL.canParse(address) ? new URL(address) : null;
    const fault = url === null ? `${address} is not an address.` : faultOf(url, rules);
    if (url === null || fault !== null) return { ok: false, why: fault ?? '' };
    const response = await ask(url, rules, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined)
      return readText(url, response);
    response.destroy();
    address = new URL(headers.location, url).href;
  }
  return { ok: false, why: `${written} leads from one address to the next more than ${maxRedirects} times.` };
}

function faultOf(
  { protocol, hostname, username, password, host }: URL,
  { hosts, privateAddresses }: FetchRules,
) {
  if (protocol !== 'http:' && protocol !== 'https:')
    return `${protocol} is not fetched, only http: and https:.`;
  if (username !== '' || password !== '') return 'An address with a user or a password is not fetched.';
  if (hosts !== null && !hosts.some((pattern) => fits(hostname, pattern.toLowerCase()))) {
    return `${host} is not among the hosts that the configuration allows: ${hosts.join(', ')}.`;
  }
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !privateAddresses && !isPublicAddress(literal)) return notPublic(host);
  return null;
}

function fits(hostname: string, pattern: string): boolean {
  return pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern;
}

function notPublic(host: string): string {
  return `${host} is an address of this machine or its network.`;
}

function ask(url: URL, { privateAddresses }: FetchRules, signal: AbortSignal): Promise<IncomingMessage> {
  const options: RequestOptions = {
    signal,
    agent: false,
    lookup: privateAddresses ? lookup : publicLookup,
    headers: {
      accept: 'text/*, application/json;q=0.9, */*;q=0.1',
      'accept-encoding': 'identity',
      'user-agent': 'collab',
    },
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    send(url, options, resolve).once('error', reject).end();
  });
}

/** A name with even one non-public address is refused. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const refused = error ?? refusalOf(hostname, addresses);
    const [first] = addresses ?? [];
    if (refused !== null) callback(refused, '', 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family ?? 0);
  });
};

function refusalOf(hostname: string, addresses: readonly LookupAddress[]): Error | null {
  return addresses.every(({ address }) => isPublicAddress(address)) ? null : new Error(notPublic(hostname));
}

const textTypes = /^(text\/|application\/(json|xml|javascript|x-yaml|yaml|toml)\b|[^;]*\+(json|xml)\b)/i;

async function readText({ href }: URL, response: IncomingMessage): Promise<FetchedText | Refused> {
  const { statusCode: status = 0, headers } = response;
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!textTypes.test(type) || encoding !== 'identity') {
    response.destroy();
    return {
      ok: false,
      why: `${href} is not text (${type === '' ? 'it has no type' : type}${encoding === 'identity' ? '' : `, ${encoding}`}).`,
    };
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes.subarray(0, maxBytes - sizeBytes));
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) break;
  }
  const text = decoderFor(type).decode(Buffer.concat(chunks));
  return { ok: true, url: href, status, type, text, cut: sizeBytes > maxBytes };
}

function decoderFor(type: string) {
  const label = /charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
