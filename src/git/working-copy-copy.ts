import { chmod, constants, copyFile, lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { below, isUnsafe, type BytePath } from './working-copy-paths.ts';

/** Copies files and links as they lie there, byte for byte, into an empty folder; returns those that it found. */
export async function copyPaths(
  from: string,
  into: string,
  paths: readonly BytePath[],
): Promise<readonly BytePath[]> {
  const copied: BytePath[] = [];
  for (let start = 0; start < paths.length; start += atOnce) {
    const batch = paths.slice(start, start + atOnce);
    const found = await Promise.all(batch.map((path) => copyPath(from, into, path)));
    copied.push(...batch.filter((_, index) => found[index] === true));
  }
  return copied;
}

const atOnce = 16;

/** False for what is not there, or is neither a file nor a link. */
async function copyPath(from: string, into: string, path: BytePath): Promise<boolean> {
  if (isUnsafe(path)) return false;
  const [source, target] = [below(from, path), below(into, path)];
  const facts = await lstat(source).catch(() => null);
  if (facts === null || !(facts.isFile() || facts.isSymbolicLink())) return false;
  await mkdir(target.subarray(0, target.lastIndexOf('/')), { recursive: true, mode: 0o755 });
  await rm(target, { force: true });
  if (facts.isSymbolicLink()) await symlink(await readlink(source, { encoding: 'buffer' }), target);
  else {
    await copyFile(source, target, constants.COPYFILE_FICLONE);
    await chmod(target, (facts.mode & 0o100) === 0 ? 0o644 : 0o755);
  }
  return true;
}
