/** The jail for writing: allows an existing file, or a new one below an existing folder. */
import { lstat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { isInside } from '../../system/is-inside.ts';
import { realPlace } from '../../system/files/in-folder.ts';
import { findInside, type InsidePlace } from './find-inside.ts';
import { insidePath, type Refused } from './inside-path.ts';

export interface PlaceToWrite extends Pick<InsidePlace, 'ok' | 'path' | 'real'> {
  /** The existing file; null for a new one. */
  readonly existing: InsidePlace | null;
}

export interface WritableFolder {
  /** The only folder in which files are written. */
  readonly root: string;
  /** Absolute paths of files and folders that stay as they are; default: none. */
  readonly locked?: readonly string[];
}

export async function findPlaceToWrite(
  { root, locked = [] }: WritableFolder,
  written: string,
): Promise<PlaceToWrite | Refused> {
  const inside = insidePath(written);
  if (!inside.ok) return inside;
  const found = await findInside(root, inside.path);
  if (!found.ok && found.isMissing !== true) return found;
  const place = found.ok ? onlyFiles(found) : await placeOfNew(root, inside.path);
  if (!place.ok || !locked.some((path) => isInside(place.real, realPlace(path)))) return place;
  return { ok: false, why: `${written} decides what collab runs: only its owner changes it.` };
}

function onlyFiles(found: InsidePlace): PlaceToWrite | Refused {
  if (found.kind === 'file') return { ok: true, path: found.path, real: found.real, existing: found };
  const kind = found.kind === 'folder' ? 'a folder' : 'not a regular file';
  return { ok: false, why: `${found.path} is ${kind}: nothing can be written there.` };
}

/** Resolves a new file below the nearest existing folder. */
async function placeOfNew(root: string, path: string): Promise<PlaceToWrite | Refused> {
  for (let above = posix.dirname(path); ; above = posix.dirname(above)) {
    const folder = await findInside(root, above);
    if (!folder.ok && folder.isMissing === true && above !== '.') continue;
    if (!folder.ok) return folder;
    if (folder.kind !== 'folder') return { ok: false, why: `${above} is not a folder.` };
    const real = join(folder.real, posix.relative(above, path));
    return (await isDangling(folder.real, real))
      ? { ok: false, why: `${path} goes through a symbolic link that leads to nothing.` }
      : { ok: true, path, real, existing: null };
  }
}

/** Returns true if the first step below the folder exists after all: a link whose target is missing. */
async function isDangling(folder: string, real: string): Promise<boolean> {
  let step = real;
  while (dirname(step) !== folder) step = dirname(step);
  return lstat(step).then(
    () => true,
    () => false,
  );
}
