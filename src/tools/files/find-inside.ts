/** The jail of the tools: decides by the real path, with symbolic links resolved. */
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { hiddenPath, insidePath, isHidden, type Refused } from './inside-path.ts';

export interface InsidePlace {
  readonly ok: true;
  /** Relative to the root, as requested, with `/`. */
  readonly path: string;
  /** Absolute, without symbolic links. */
  readonly real: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** With `isMissing`, the path is allowed but does not exist. */
export type NotInside = Refused & { readonly isMissing?: boolean };

export async function findInside(root: string, written: string): Promise<InsidePlace | NotInside> {
  const inside = insidePath(written);
  if (!inside.ok) return inside;
  try {
    const realRoot = await realpath(root);
    const real = await realpath(join(realRoot, inside.path));
    const way = relative(realRoot, real);
    if (leadsOut(way)) {
      return { ok: false, why: `${written} is a symbolic link that leads out of the repository.` };
    }
    if (isHidden(way)) return hiddenPath(written);
    const found = await stat(real);
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
    return { ok: true, path: inside.path, real, kind };
  } catch (error) {
    return unreachable(written, error);
  }
}

function leadsOut(way: string): boolean {
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}

function unreachable(written: string, error: unknown): NotInside {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code === 'ENOENT'
    ? { ok: false, why: `There is no ${written}.`, isMissing: true }
    : { ok: false, why: `${written} cannot be reached (${code}).` };
}
