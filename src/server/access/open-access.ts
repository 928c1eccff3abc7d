/** The access policy of a server, by the address that it listens at. */
import type { AccessPolicy } from './access-token.ts';
import { isLoopback } from './bind-address.ts';
import { openCredentials } from './credentials.ts';
import { openServerFolder, type ServerFolderOptions } from './server-folder.ts';

export interface AccessChoice extends ServerFolderOptions {
  /** The address that is listened at. */
  readonly host: string;
  readonly allowHosts: readonly string[];
  readonly allowOrigins: readonly string[];
  /** On loopback too: on a machine with several users each of them reaches it. */
  readonly requireToken: boolean;
}

/** @throws CollabError `state_folder` where tokens are asked for and there is no place for them */
export function openAccess(choice: AccessChoice): AccessPolicy {
  const { host, allowHosts, allowOrigins, requireToken, clock } = choice;
  const origins = { hosts: isName(host) ? [...allowHosts, host] : allowHosts, origins: allowOrigins };
  if (isLoopback(host) && !requireToken) return { ...origins, credentials: null, cookieName: '' };
  const folder = openServerFolder(choice);
  return {
    ...origins,
    // Cookies know no ports: two servers of one machine would take each other's.
    cookieName: `collab_${folder.key}`,
    credentials: {
      tokens: openCredentials(folder, 'token', clock),
      sessions: openCredentials(folder, 'session', clock),
    },
  };
}

/** Whoever listens at a name is called by it. */
function isName(host: string): boolean {
  return /[a-z]/i.test(host) && !host.includes(':');
}
