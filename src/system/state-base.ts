/** The private folder of a user for what outlives a run. It is outside every git repository: no repository can supply its files. */
import { accessSync, constants, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { lookAt } from './files/fault.ts';
import { makeFolder, realPlace } from './files/in-folder.ts';
import { isBelowGit } from './files/write-named.ts';

export interface StateBaseOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The parent of the last candidate; default: the system's own. */
  readonly temporaryFolder?: string;
}

/** Returns the folder for files that outlive a run; null if there is no such place. */
export function stateBase(options: StateBaseOptions): string | null {
  return stateBases(options).find((base) => isUsableBase(base)) ?? null;
}

/** Returns every place where private folders may be, whether it exists or not, in order of preference. */
export function stateBases({ env, temporaryFolder = tmpdir() }: StateBaseOptions): readonly string[] {
  const { XDG_STATE_HOME: state, HOME: home } = env;
  const bases = [
    state !== undefined && isAbsolute(state) ? join(state, 'collab') : null,
    home !== undefined && isAbsolute(home) ? join(home, '.local', 'state', 'collab') : null,
    join(temporaryFolder, `collab-${process.getuid?.() ?? 'user'}`),
  ];
  // The path to them is the user's own: HOME may be a link.
  return bases.filter((base) => base !== null).map((base) => join(realPlace(dirname(base)), basename(base)));
}

/** Makes the folder if it is not there. */
export function isUsableBase(base: string): boolean {
  if (isBelowGit(base)) return false;
  try {
    makeFolder(base);
    accessSync(base, constants.W_OK | constants.X_OK);
  } catch {
    // We cannot write there; the next candidate may work.
    return false;
  }
  return isPrivate(base) && !isBelowGit(realpathSync(base));
}

/** In a shared folder, another user may have created it first. */
export function isPrivate(base: string): boolean {
  const facts = lookAt(base);
  if (facts?.isDirectory() !== true) return false;
  if (process.getuid === undefined) return true;
  return facts.uid === process.getuid() && (facts.mode & 0o022) === 0;
}
