import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { InsidePlace } from './find-inside.ts';
import { isHiddenName } from './inside-path.ts';

/**
 * Yields the files below a place, in name order, as paths relative to the root. Symbolic links are not followed; files
 * hidden from agents are left out, and so is `node_modules` unless the walk starts inside one.
 */
export async function* walkFiles(place: InsidePlace): AsyncGenerator<string> {
  if (place.kind === 'file') yield place.path;
  if (place.kind === 'folder') yield* walkFolder(place.real, place.path === '.' ? '' : `${place.path}/`);
}

async function* walkFolder(folder: string, prefix: string): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    const path = `${prefix}${entry.name}`;
    if (entry.isFile()) yield path;
    if (entry.isDirectory()) yield* walkFolder(join(folder, entry.name), `${path}/`);
  }
}

async function entriesOf(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter(({ name }) => !isHiddenName(name) && name !== 'node_modules')
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    // A folder that is unreadable, or was removed meanwhile, is empty for the search.
    return [];
  }
}
