/** Builds the access policy of a server from the address it listens on. */
import { toolAction } from '../../access/actions.ts';
import { parseGrant } from '../../access/grant-syntax.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { AccessPolicy } from './access-token.ts';
import { openCredentials } from './tokens-and-sessions.ts';
import { openServerFolder, type ServerFolder, type ServerFolderOptions } from './server-folder.ts';
import { isLoopbackHost } from '../../system/loopback.ts';

export interface AccessChoice extends ServerFolderOptions {
  /** The address that the server listens on. */
  readonly host: string;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  /** Applies on loopback too: every user of a shared machine can reach it. */
  readonly requireToken: boolean;
  /** The agents that the server itself chose, which guests may name. */
  readonly providers: readonly string[];
}

/** @throws CollabError `state_folder` if tokens are required and there is no folder to keep them in */
export function openAccess(choice: AccessChoice): AccessPolicy {
  const { host, allowHosts, allowOrigins, requireToken, providers, clock } = choice;
  const hosts = isName(host) ? [...allowHosts, host] : allowHosts;
  const origins = { hosts, origins: allowOrigins, providers };
  const requiresToken = !isLoopbackHost(host) || requireToken;
  const folder = openFolder(choice, requiresToken);
  if (folder === null) return { ...origins, requiresToken, credentials: null, cookieName: '' };
  return {
    ...origins,
    requiresToken,
    // Cookies ignore ports: two servers on one machine would overwrite each other's.
    cookieName: `collab_${folder.key}`,
    credentials: {
      tokens: openCredentials(folder, 'token', clock),
      sessions: openCredentials(folder, 'session', clock),
    },
  };
}

/** Returns a sentence for the owner about grants that an open server refuses; null if no token has one. */
export function grantsWithoutUse({ requiresToken, credentials }: AccessPolicy): string | null {
  if (requiresToken || credentials === null) return null;
  const useless = credentials.tokens.list().flatMap(({ tenant, grants }) => {
    const tools = grants
      .map(parseGrant)
      .flatMap((grant) => (grant?.kind === 'tool' ? (grant.name ?? []) : []));
    return tools.filter((name) => toolAction(name)?.does === 'run a command').map((name) => [tenant, name]);
  });
  const [first] = useless;
  if (first === undefined) return null;
  const tenants = [...new Set(useless.map(([tenant]) => tenant))].join(', ');
  return `this server requires no token, so it refuses tool:${first[1]} to ${tenants}: start it with --require-token to allow it`;
}

/** Returns null if there is no private folder and no token is required. @throws CollabError `state_folder` */
function openFolder(options: ServerFolderOptions, isNeeded: boolean): ServerFolder | null {
  try {
    return openServerFolder(options);
  } catch (error) {
    if (isNeeded || !(error instanceof CollabError) || error.code !== 'state_folder') throw error;
    return null;
  }
}

/** Returns true if the host is a name, which callers then use for the server. */
function isName(host: string): boolean {
  return /[a-z]/i.test(host) && !host.includes(':');
}
