import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { CollabError } from '../../errors/collab-error.ts';

/** Writes a file completely or not at all. A link at the path is replaced, not followed. */
export async function writeWhole(
  path: string,
  text: string,
  encoding: BufferEncoding = 'utf8',
): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, text, { encoding, flag: 'wx' });
  await rename(unfinished, path);
}

/** Rejects a link at our path: in a foreign repository it may point outside of it. @throws CollabError `input` */
export async function refuseLink(path: string): Promise<void> {
  if (!(await isLink(path))) return;
  throw new CollabError('input', `${path} is a link; nothing is written through it`, {
    hint: 'Remove the link, and look at where it leads: it was not made by collab.',
  });
}

export async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}
