/** The address of an API: the configuration's, else the environment's, else the vendor's own. */
import { CollabError } from '../../errors/collab-error.ts';
import { isLoopbackHost } from '../../system/loopback.ts';
import { variableOf } from '../client/ai-client.ts';
import type { ProviderEnvironment } from '../contract/contract.ts';

export interface BaseUrl {
  /** Without a trailing slash. */
  readonly text: string;
  readonly host: string;
  /** The setting or variable that holds it; null for the vendor's own address. */
  readonly place: string | null;
}

export interface NamedBase {
  /** The name of the provider. */
  readonly name: string;
  readonly defaultBaseUrl: string;
}

/** @throws CollabError `options` for text that is no plain http or https address */
export function baseUrlOf(
  { name, defaultBaseUrl }: NamedBase,
  { env, settings }: Pick<ProviderEnvironment, 'env' | 'settings'>,
): BaseUrl {
  const setting = `${name}.base_url`;
  const configured = settings[setting];
  if (configured !== undefined) return readAddress(configured, `providers.${setting}`);
  const variable = variableOf(name, 'API_BASE');
  const given = env[variable]?.trim() ?? '';
  return given === '' ? readAddress(defaultBaseUrl, null) : readAddress(given, variable);
}

/**
 * Requests are sent to paths below the address, so that a query in it would end up in the middle of theirs.
 * @throws CollabError `options`
 */
export function readAddress(text: string, place: string | null): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !isHttp(url)) throw refusal(`${place} is not an address: ${text}`);
  if (url.username !== '' || url.password !== '') throw refusal(`${place} contains a user or a password`);
  if (url.search !== '' || url.hash !== '') throw refusal(`${place} contains a query or a fragment`);
  return { text: url.href.replace(/\/+$/, ''), host: url.host, place };
}

function refusal(message: string): CollabError {
  return new CollabError('options', message, {
    hint: 'Write one such as https://gateway.example.org, or omit it.',
  });
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** Returns remarks for the first lines of a run: the text and the key can be read on the way to this address. */
export function remarksOnAddress({ text }: Pick<BaseUrl, 'text'>): readonly string[] {
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && !isLoopbackHost(hostname) ? ['unencrypted (http)'] : [];
}
