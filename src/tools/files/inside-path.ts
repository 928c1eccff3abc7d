/** Decides which paths a tool may read, by their names alone; `find-inside.ts` checks the files. */
import { posix } from 'node:path';

export type InsidePath = { readonly ok: true; readonly path: string } | Refused;

export interface Refused {
  readonly ok: false;
  /** A sentence for the model. */
  readonly why: string;
}

/**
 * Converts a path from a model to one relative to the root, with `/` and without `.` and `..`; the root itself is `.`.
 */
export function insidePath(written: string): InsidePath {
  if (written.includes('\0')) return { ok: false, why: 'A path holds no NUL character.' };
  if (isAbsolute(written)) {
    return {
      ok: false,
      why: `${written} is absolute. Paths are relative to the top of the repository, such as src/main.ts.`,
    };
  }
  const path = posix.normalize(written === '' ? '.' : withSlashes(written)).replace(/(?<=.)\/$/, '');
  // `a/../C:` becomes a Windows drive.
  if (path === '..' || path.startsWith('../') || isAbsolute(path)) {
    return { ok: false, why: `${written} leads out of the repository.` };
  }
  return isHidden(path) ? hiddenPath(written) : { ok: true, path };
}

export function hiddenPath(written: string): Refused {
  return {
    ok: false,
    why: `${written} is not shown to agents: .git, .env files and .collab are kept from them.`,
  };
}

/**
 * Returns true for git's own files, secret files and run records, under any name that the file system treats as the same.
 */
export function isHidden(path: string): boolean {
  return withSlashes(path).split('/').some(isHiddenName);
}

export function isHiddenName(name: string): boolean {
  // Windows drops dots and spaces at the end of a name.
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
  return plain === '.git' || plain === '.collab' || plain.startsWith('.env') || /^git~\d+$/.test(plain);
}

function isAbsolute(path: string): boolean {
  return /^[/\\]|^[A-Za-z]:/.test(path);
}

/**
 * On systems where the backslash is an ordinary character, the only loss is that a file with one in its name is not
 * found.
 */
function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
