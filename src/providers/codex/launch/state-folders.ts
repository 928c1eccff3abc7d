/** The run's private folders of Codex: an empty working folder, a HOME, and a CODEX_HOME (DESIGN §7). */
import { existsSync, lstatSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { refuseInsideRepository } from '../../program/outside-repositories.ts';

export interface StateFolders {
  /** Working folder of the agent; nothing lies in it. */
  readonly empty: string;
  readonly home: string;
  /** CODEX_HOME of the run. */
  readonly codex: string;
  /** First on Codex' PATH. */
  readonly bin: string;
}

/**
 * Creates what is missing below `stateFolder`. The paths are real ones: Codex compares them with real paths.
 * @throws CollabError `state_folder` when a folder above holds `.git`: that repository's set-up would reach the agent.
 */
export function openStateFolders(stateFolder: string): StateFolders {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const root = realpathSync(stateFolder);
  refuseInsideRepository(root);
  const folders = {
    empty: join(root, 'empty'),
    home: join(root, 'home'),
    codex: join(root, 'codex'),
    bin: join(root, 'bin'),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folders;
}

/** The user's own CODEX_HOME. */
export function userCodexHome(env: Readonly<Record<string, string | undefined>>): string {
  return env['CODEX_HOME'] ?? join(userHome(env), '.codex');
}

export function userHome(env: Readonly<Record<string, string | undefined>>): string {
  return env['HOME'] ?? homedir();
}

/**
 * Links the user's `auth.json` into the run's CODEX_HOME; false when there is none. Never a copy: a token refresh would
 * leave the user with a dead one.
 */
export function linkLogin(userCodex: string, folders: StateFolders): boolean {
  const source = join(userCodex, 'auth.json');
  const link = join(folders.codex, 'auth.json');
  if (!existsSync(source)) return false;
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(realpathSync(source), link);
  return true;
}

/**
 * At its start Codex runs `lsb_release` twice to name the system in its user agent (0.169): a script of fifteen processes, or
 * of Python. Here it fails at once, and Codex reads `/etc/os-release` instead.
 */
export function muteSystemNaming({ bin }: StateFolders): void {
  const link = join(bin, 'lsb_release');
  const fails = ['/usr/bin/false', '/bin/false'].find((file) => existsSync(file));
  if (fails === undefined || lstatSync(link, { throwIfNoEntry: false }) !== undefined) return;
  symlinkSync(fails, link);
}
