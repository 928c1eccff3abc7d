import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { CollabError } from '../errors/collab-error.ts';
import type { GitView } from './git-view.ts';
import { readEachBlob } from './working-copy-blobs.ts';
import type { Entry } from './working-copy-entries.ts';
import { below, isUnsafe, toText, type BytePath } from './working-copy-paths.ts';

/** Writes entries into a folder of ours, over whatever lies there. No filter runs. @throws CollabError `input` */
export async function writeEntries(
  view: GitView,
  folder: string,
  entries: ReadonlyMap<BytePath, Entry>,
): Promise<void> {
  const written = [...entries].filter(([, { kind }]) => kind !== 'submodule');
  const contents = readEachBlob(
    view,
    written.map(([, { blob }]) => blob),
  );
  for (const [path, { kind }] of written) {
    const content = await contents.next();
    if (content.done === true) throw new CollabError('internal', `no content for ${toText(path)}`);
    await writeEntry(folder, path, kind, content.value);
  }
}

async function writeEntry(
  folder: string,
  path: BytePath,
  kind: Entry['kind'],
  content: Buffer,
): Promise<void> {
  if (isUnsafe(path))
    throw new CollabError('input', `not a path to write to: ${JSON.stringify(toText(path))}`);
  const target = below(folder, path);
  await rm(target, { recursive: true, force: true });
  await mkdir(target.subarray(0, target.lastIndexOf('/')), { recursive: true, mode: 0o755 });
  if (kind === 'symlink') return symlink(content, target);
  await writeFile(target, content, { flag: 'wx' });
  await chmod(target, kind === 'program' ? 0o755 : 0o644);
}
