/** Addresses of repositories and pull requests, as browsers, git and CI systems write them. */
import { CollabError } from '../errors/collab-error.ts';
import { isLoopbackHost } from '../system/loopback.ts';
import type { ForgeKind, ForgeRepository, PullRequestName } from './contract.ts';

export type ForgeEnvironment = Readonly<Record<string, string | undefined>>;

const pullPath = /^\/([\w.-]+\/[\w.-]+)\/pull\/([1-9]\d{0,9})(?:\/.*)?$/;
const mergePath = /^\/((?:[\w.-]+\/)+[\w.-]+)\/-\/merge_requests\/([1-9]\d{0,9})(?:\/.*)?$/;

/** Reads the address of a pull request's page; null for other words. @throws CollabError `usage` for http */
export function readPullRequestUrl(words: string): PullRequestName | null {
  if (!/^https?:\/\//i.test(words) || !URL.canParse(words)) return null;
  const url = new URL(words);
  const [, repository, number] = pullPath.exec(url.pathname) ?? mergePath.exec(url.pathname) ?? [];
  if (repository === undefined) return null;
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new CollabError('usage', `${url.origin} is not encrypted`, { hint: 'use the https:// address' });
  }
  const forge = pullPath.test(url.pathname) ? 'github' : 'gitlab';
  return { forge, server: url.origin, repository, number: Number(number) };
}

/**
 * Reads the address of a remote; null if it names no host, or one that neither its name nor the environment tells apart.
 * `wanted` decides about such a host.
 */
export function readRemoteAddress(
  address: string,
  env: ForgeEnvironment,
  wanted: ForgeKind | null = null,
): ForgeRepository | null {
  const place = placeOf(address);
  if (place === null) return null;
  const forge = forgeOfHost(place.host, env) ?? wanted;
  if (forge === null || (forge === 'github' && place.path.split('/').length !== 2)) return null;
  return { forge, server: serverOf(place, env), repository: place.path };
}

/** The repository that a CI job is about; null outside of CI. */
export function repositoryOfJob(env: ForgeEnvironment): ForgeRepository | null {
  const { GITHUB_SERVER_URL: github, GITHUB_REPOSITORY: repository } = env;
  if (isSet(github) && isSet(repository)) return { forge: 'github', server: trimmed(github), repository };
  const project = env['CI_MERGE_REQUEST_PROJECT_PATH'] ?? env['CI_PROJECT_PATH'];
  const gitlab = env['CI_SERVER_URL'];
  if (!isSet(gitlab) || !isSet(project)) return null;
  return { forge: 'gitlab', server: trimmed(gitlab), repository: project };
}

/** Returns the address of the host's API: that of the job for the job's own host. */
export function apiOf({ forge, server }: ForgeRepository, env: ForgeEnvironment): string {
  if (forge === 'github') {
    const own = env['GITHUB_API_URL'];
    if (isSet(own) && isServerOf(env['GITHUB_SERVER_URL'], server)) return trimmed(own);
    return server === 'https://github.com' ? 'https://api.github.com' : `${server}/api/v3`;
  }
  const own = env['CI_API_V4_URL'];
  return isSet(own) && isServerOf(env['CI_SERVER_URL'], server) ? trimmed(own) : `${server}/api/v4`;
}

export function isServerOf(address: string | undefined, server: string): boolean {
  return isSet(address) && hostOf(address) === new URL(server).host;
}

interface RemotePlace {
  readonly protocol: string;
  readonly host: string;
  readonly path: string;
}

/** Accepts `https://host/a/b.git`, `ssh://git@host/a/b.git` and `git@host:a/b.git`. */
function placeOf(address: string): RemotePlace | null {
  const [, sshHost, sshPath] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  const url = sshHost === undefined && URL.canParse(address) ? new URL(address) : null;
  const host = sshHost ?? url?.host ?? '';
  const path = (sshPath ?? url?.pathname ?? '').replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  const protocol = url?.protocol ?? 'ssh:';
  if (!['https:', 'http:', 'ssh:'].includes(protocol)) return null;
  if (host === '' || !/^(?:[\w.-]+\/)+[\w.-]+$/.test(path)) return null;
  return { protocol, path, host: protocol === 'ssh:' ? host.replace(/:\d+$/, '') : host };
}

function forgeOfHost(host: string, env: ForgeEnvironment): ForgeKind | null {
  const named = (names: readonly string[]): boolean =>
    names.some((name) => isSet(env[name]) && hostOf(env[name] ?? '') === host);
  if (named(['GITHUB_SERVER_URL', 'GH_HOST'])) return 'github';
  if (named(['CI_SERVER_URL', 'GITLAB_HOST'])) return 'gitlab';
  if (host === 'github.com' || host.startsWith('github.')) return 'github';
  return host === 'gitlab.com' || host.startsWith('gitlab.') ? 'gitlab' : null;
}

/** A loopback host has no certificate. */
function serverOf({ protocol, host }: RemotePlace, env: ForgeEnvironment): string {
  const own = [env['GITHUB_SERVER_URL'], env['CI_SERVER_URL']].find(
    (address) => isSet(address) && hostOf(address) === host,
  );
  if (own !== undefined) return trimmed(own);
  const isPlain = protocol === 'http:' && isLoopbackHost(host.replace(/:\d+$/, ''));
  return `${isPlain ? 'http' : 'https'}://${host}`;
}

/** `GH_HOST` and `GITLAB_HOST` may be a name without a protocol. */
function hostOf(address: string): string {
  const whole = address.includes('://') ? address : `https://${address}`;
  return URL.canParse(whole) ? new URL(whole).host : '';
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

function trimmed(address: string): string {
  return address.replace(/\/+$/, '');
}
