import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode } from '../../errors/has-code.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { createFile, createLink, removeTree } from '../../system/files/tree.ts';
import type { GitView } from '../repository/git-view.ts';
import { readEachBlob } from './blobs.ts';
import type { CopyEntry } from './entries.ts';
import { bytesBelow, isUnsafe, toText, type BytePath } from './paths.ts';

/** Writes entries into a folder of ours, over existing ones. Runs no filter. @throws CollabError `input` */
export async function writeEntries(
  view: GitView,
  folder: string,
  entries: ReadonlyMap<BytePath, CopyEntry>,
): Promise<void> {
  const wanted = [...entries].filter(([, { kind }]) => kind !== 'submodule');
  makeFolders(
    folder,
    wanted.map(([path]) => path),
  );
  let written = 0;
  for await (const [[path, { kind }], content] of readEachBlob(view, wanted, ([, { blob }]) => blob)) {
    await writeEntry(bytesBelow(folder, path), kind, content);
    if (written % atOnce === 0) await nextTurn();
    written += 1;
  }
}

/** Number of files that are written before other work of this process gets its turn. */
const atOnce = 64;

/** Creates the parent folders of paths, each once. @throws CollabError `input` for a path that leads outside */
export function makeFolders(folder: string, paths: readonly BytePath[]): void {
  const unsafe = paths.find(isUnsafe);
  if (unsafe !== undefined) {
    throw new CollabError('input', `not a path to write to: ${JSON.stringify(toText(unsafe))}`);
  }
  const needed = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  for (const path of needed) makeFolder(path === '' ? folder : bytesBelow(folder, path), { mode: 0o755 });
}

async function writeEntry(target: Buffer, kind: CopyEntry['kind'], content: Buffer): Promise<void> {
  const write = (): void =>
    kind === 'symlink'
      ? createLink(target, content)
      : createFile(target, content, kind === 'program' ? 0o755 : 0o644);
  try {
    write();
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    await removeTree(target);
    write();
  }
}
