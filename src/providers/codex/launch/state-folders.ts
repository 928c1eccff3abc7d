/** The run's private folders for Codex: an empty working folder, a HOME, and a CODEX_HOME. */
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { lookAt } from '../../../system/files/fault.ts';
import { makeFolder, realPlace } from '../../../system/files/in-folder.ts';
import { createLink } from '../../../system/files/tree.ts';
import { refuseInsideRepository } from '../../program/outside-repositories.ts';

export interface CodexStateFolders {
  /** Working folder of the agent; always empty. */
  readonly empty: string;
  readonly home: string;
  /** The run's CODEX_HOME. */
  readonly codex: string;
  /** First folder on Codex's PATH. */
  readonly bin: string;
}

/**
 * Creates missing folders below `stateFolder`. Returns real paths, because Codex compares them with real paths.
 * @throws CollabError `state_folder` if a parent folder holds `.git`: that repository's set-up would reach the agent.
 */
export function openStateFolders(stateFolder: string): CodexStateFolders {
  const root = realPlace(stateFolder);
  makeFolder(root, { synced: false });
  refuseInsideRepository(root);
  const folders = {
    empty: join(root, 'empty'),
    home: join(root, 'home'),
    codex: join(root, 'codex'),
    bin: join(root, 'bin'),
  };
  for (const folder of Object.values(folders)) makeFolder(folder, { synced: false });
  return folders;
}

/** Returns the user's own CODEX_HOME. */
export function userCodexHome(env: Readonly<Record<string, string | undefined>>): string {
  return env['CODEX_HOME'] ?? join(userHome(env), '.codex');
}

export function userHome(env: Readonly<Record<string, string | undefined>>): string {
  return env['HOME'] ?? homedir();
}

/**
 * Links the user's `auth.json` into the run's CODEX_HOME; returns false if there is none. Never copies it: a token refresh
 * would leave the user with an invalid one.
 */
export function linkLogin(userCodex: string, folders: CodexStateFolders): boolean {
  const source = join(userCodex, 'auth.json');
  const link = join(folders.codex, 'auth.json');
  if (!existsSync(source)) return false;
  if (lookAt(link) === null) createLink(link, realpathSync(source));
  return true;
}

/**
 * Stops Codex from running `lsb_release` twice at its start to name the system in its user agent (0.169): a script that starts
 * fifteen processes, or Python. Here it fails at once, and Codex reads `/etc/os-release` instead.
 */
export function muteSystemNaming({ bin }: CodexStateFolders): void {
  const link = join(bin, 'lsb_release');
  const fails = ['/usr/bin/false', '/bin/false'].find((file) => existsSync(file));
  if (fails === undefined || lookAt(link) !== null) return;
  createLink(link, fails);
}
