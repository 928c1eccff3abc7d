/**
 * A private folder for one run's agents: their empty HOME, their sessions. It must lie outside every git repository,
 * or the agents would take that repository's instructions for their own (DESIGN §7).
 */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import type { Clock } from '../../system/clock.ts';

export interface StateFolderOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Where the last candidate lies; the system's own by default. */
  readonly temporaryFolder?: string;
}

/** What servers keep; it is nothing that an unfinished run left. */
export const serversFolder = 'servers';

const keptMs = 7 * 24 * 60 * 60 * 1000;

/** Mode 0700; the same one again when the run goes on. @throws CollabError `state_folder` */
export function openStateFolder(runId: string, options: StateFolderOptions): string {
  const usable = basesOf(options).filter((base) => isUsable(base));
  const [base] = usable;
  if (base === undefined) throw noFolder(basesOf(options));
  const kept = usable.map((candidate) => folderIn(candidate, runId)).find((folder) => existsSync(folder));
  const folder = kept ?? folderIn(base, runId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const now = options.clock.now() / 1000;
  utimesSync(folder, now, now);
  return folder;
}

/** Where things that outlive a run can lie; null where there is no such place. */
export function stateBase(options: StateFolderOptions): string | null {
  return basesOf(options).find((base) => isUsable(base)) ?? null;
}

/** Where the files under review are copied to. */
export function reviewFolderIn(stateFolder: string): string {
  return join(stateFolder, 'review');
}

/** For a run that has ended. Links in it are removed, what they lead to is not. */
export function removeStateFolder(runId: string, options: StateFolderOptions): void {
  for (const base of basesOf(options)) rmSync(folderIn(base, runId), { recursive: true, force: true });
}

/** Removes what unfinished runs left more than seven days ago; returns their ids. */
export function removeOldStateFolders(options: StateFolderOptions): readonly string[] {
  return basesOf(options)
    .filter((base) => existsSync(base) && isUsable(base))
    .flatMap((base) => oldFoldersIn(base, options.clock));
}

/** An id that is no plain name would lead out of the base, or to the base itself. */
function folderIn(base: string, runId: string): string {
  if (/^\w[\w.-]*$/.test(runId)) return join(base, runId);
  throw new CollabError('input', `Not the id of a run: ${JSON.stringify(runId)}`);
}

/** In the order of preference. */
function basesOf({ env, temporaryFolder = tmpdir() }: StateFolderOptions): readonly string[] {
  const { XDG_STATE_HOME: state, HOME: home } = env;
  const bases = [
    state !== undefined && isAbsolute(state) ? join(state, 'collab') : null,
    home !== undefined && isAbsolute(home) ? join(home, '.local', 'state', 'collab') : null,
    join(temporaryFolder, `collab-${process.getuid?.() ?? 'user'}`),
  ];
  return bases.filter((base) => base !== null);
}

function isUsable(base: string): boolean {
  if (isBelowGit(base)) return false;
  try {
    mkdirSync(base, { recursive: true, mode: 0o700 });
    accessSync(base, constants.W_OK | constants.X_OK);
  } catch {
    // Not ours to write to; the next candidate may be.
    return false;
  }
  return isOurs(base) && !isBelowGit(realpathSync(base));
}

/** In a shared folder somebody else may have made it first. */
function isOurs(base: string): boolean {
  const facts = lstatSync(base);
  if (!facts.isDirectory()) return false;
  if (process.getuid === undefined) return true;
  return facts.uid === process.getuid() && (facts.mode & 0o022) === 0;
}

export function isBelowGit(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  const parent = dirname(folder);
  return parent !== folder && isBelowGit(parent);
}

function oldFoldersIn(base: string, clock: Clock): readonly string[] {
  const old = readdirSync(base).filter((runId) => {
    const facts = lstatSync(join(base, runId));
    return runId !== serversFolder && facts.isDirectory() && clock.now() - facts.mtimeMs > keptMs;
  });
  for (const runId of old) rmSync(join(base, runId), { recursive: true, force: true });
  return old;
}

function noFolder(tried: readonly string[]): CollabError {
  return new CollabError(
    'state_folder',
    `No private folder outside every git repository: ${tried.join(', ')}`,
    {
      hint: 'Set XDG_STATE_HOME to a folder of yours that lies in no repository.',
      details: { tried },
    },
  );
}
