/** The jail for writing: a file that is there, or one that can be made below a folder that is. */
import { lstat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { findInside, type Place } from './find-inside.ts';
import { insidePath, type Refused } from './inside-path.ts';

export interface PlaceToWrite {
  readonly ok: true;
  /** Relative to the root, as it was asked for, with `/`. */
  readonly path: string;
  /** Absolute, without symbolic links. */
  readonly real: string;
  /** What lies there; null for a file that is new. */
  readonly existing: Place | null;
}

export async function findPlaceToWrite(root: string, written: string): Promise<PlaceToWrite | Refused> {
  const inside = insidePath(written);
  if (!inside.ok) return inside;
  const found = await findInside(root, inside.path);
  if (found.ok) return onlyFiles(found);
  return found.isMissing === true ? placeOfNew(root, inside.path) : found;
}

function onlyFiles(found: Place): PlaceToWrite | Refused {
  if (found.kind === 'file') return { ok: true, path: found.path, real: found.real, existing: found };
  const kind = found.kind === 'folder' ? 'a folder' : 'no regular file';
  return { ok: false, why: `${found.path} is ${kind}: nothing can be written there.` };
}

/** Below the nearest folder that exists. */
async function placeOfNew(root: string, path: string): Promise<PlaceToWrite | Refused> {
  for (let above = posix.dirname(path); ; above = posix.dirname(above)) {
    const folder = await findInside(root, above);
    if (!folder.ok && folder.isMissing === true && above !== '.') continue;
    if (!folder.ok) return folder;
    if (folder.kind !== 'folder')
      return { ok: false, why: `${above} is no folder: nothing can lie below it.` };
    const real = join(folder.real, posix.relative(above, path));
    return (await isDangling(folder.real, real))
      ? { ok: false, why: `${path} goes through a symbolic link that leads to nothing.` }
      : { ok: true, path, real, existing: null };
  }
}

/** The first step below the folder is there after all: a link whose end is missing. */
async function isDangling(folder: string, real: string): Promise<boolean> {
  let step = real;
  while (dirname(step) !== folder) step = dirname(step);
  return lstat(step).then(
    () => true,
    () => false,
  );
}
