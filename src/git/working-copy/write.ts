import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { hasCode } from '../../errors/has-code.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { GitView } from '../repository/git-view.ts';
import { readEachBlob } from './blobs.ts';
import type { CopyEntry } from './entries.ts';
import { below, isUnsafe, toText, type BytePath } from './paths.ts';

/** Writes entries into a folder of ours, over existing ones. Runs no filter. @throws CollabError `input` */
export async function writeEntries(
  view: GitView,
  folder: string,
  entries: ReadonlyMap<BytePath, CopyEntry>,
): Promise<void> {
  const wanted = [...entries].filter(([, { kind }]) => kind !== 'submodule');
  await makeFolders(
    folder,
    wanted.map(([path]) => path),
  );
  const contents = readEachBlob(
    view,
    wanted.map(([, { blob }]) => blob),
  );
  let writing: Promise<void>[] = [];
  for (const [path, { kind }] of wanted) {
    const content = await contents.next();
    if (content.done === true) throw new CollabError('internal', `no content for ${toText(path)}`);
    writing.push(writeEntry(below(folder, path), kind, content.value));
    if (writing.length < atOnce) continue;
    await Promise.all(writing);
    writing = [];
  }
  await Promise.all(writing);
}

const atOnce = 16;

/** Creates the parent folders of paths, each once. @throws CollabError `input` for a path that leads outside */
export async function makeFolders(folder: string, paths: readonly BytePath[]): Promise<void> {
  const unsafe = paths.find(isUnsafe);
  if (unsafe !== undefined) {
    throw new CollabError('input', `not a path to write to: ${JSON.stringify(toText(unsafe))}`);
  }
  const needed = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  for (const path of needed) await mkdir(below(folder, path), { recursive: true, mode: 0o755 });
}

async function writeEntry(target: Buffer, kind: CopyEntry['kind'], content: Buffer): Promise<void> {
  const write = (): Promise<void> =>
    kind === 'symlink'
      ? symlink(content, target)
      : writeFile(target, content, { flag: 'wx', mode: kind === 'program' ? 0o755 : 0o644 });
  try {
    await write();
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    await rm(target, { recursive: true, force: true });
    await write();
  }
}
