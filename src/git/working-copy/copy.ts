import { lstat, readlink } from 'node:fs/promises';
import { copyRegular, createLink, setMode } from '../../system/files/tree.ts';
import { bytesBelow, type BytePath } from './paths.ts';
import { makeFolders } from './write.ts';

/**
 * Copies files and links unchanged, byte for byte, into an empty folder; returns those that it found.
 * @throws CollabError `input` for a path that leads outside
 */
export async function copyPaths(
  from: string,
  into: string,
  paths: readonly BytePath[],
): Promise<readonly BytePath[]> {
  const copied: BytePath[] = [];
  makeFolders(into, paths);
  for (let start = 0; start < paths.length; start += atOnce) {
    const batch = paths.slice(start, start + atOnce);
    const found = await Promise.all(batch.map((path) => copyPath(from, into, path)));
    copied.push(...batch.filter((_, index) => found[index] === true));
  }
  return copied;
}

const atOnce = 16;

/** Returns false if the path is missing, or is neither a file nor a link. */
async function copyPath(from: string, into: string, path: BytePath): Promise<boolean> {
  const [source, target] = [bytesBelow(from, path), bytesBelow(into, path)];
  const facts = await lstat(source).catch(() => null);
  if (facts === null || !(facts.isFile() || facts.isSymbolicLink())) return false;
  if (facts.isSymbolicLink()) createLink(target, await readlink(source, { encoding: 'buffer' }));
  else {
    await copyRegular(source, target);
    // The lead may write files that the user protected from mistakes.
    if ((facts.mode & 0o600) !== 0o600) setMode(target, (facts.mode & 0o777) | 0o600);
  }
  return true;
}
