/** The entries of a tree, and the differences of two. Paths are bytes; a rename is a removal and an addition. */
import { CollabError } from '../../errors/collab-error.ts';
import type { GitView } from '../repository/git-view.ts';
import { gitWords, type GitResult } from '../repository/run-git.ts';
import type { BytePath } from './paths.ts';

export interface CopyEntry {
  readonly kind: 'file' | 'program' | 'symlink' | 'submodule';
  readonly mode: string;
  readonly blob: string;
}

export interface EntryChange {
  readonly path: BytePath;
  /** The entry before; null when that side has none. */
  readonly before: CopyEntry | null;
  readonly after: CopyEntry | null;
}

/** @throws CollabError `input` when the tree cannot be read */
export async function listCopyEntries(
  view: GitView,
  tree: string,
): Promise<ReadonlyMap<BytePath, CopyEntry>> {
  const result = await view.onObjects(['ls-tree', '-r', '-z', '--full-tree', tree]);
  const lines = textOf(result, `the tree ${tree}`).split('\0');
  return new Map(
    lines.flatMap((line) => {
      const [, mode, blob, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
      const entry = toEntry(mode, blob);
      return entry === null || path === undefined ? [] : [[path, entry] as const];
    }),
  );
}

/** @throws CollabError `input` when one of the trees cannot be read */
export async function listChanges(view: GitView, from: string, to: string): Promise<readonly EntryChange[]> {
  const result = await view.onObjects(['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to]);
  const fields = textOf(result, `the difference from ${from} to ${to}`).split('\0');
  const changes: EntryChange[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, modeBefore, modeAfter, blobBefore, blobAfter] =
      /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) \w/.exec(fields[index] ?? '') ?? [];
    const path = fields[index + 1];
    if (path === undefined || path === '') continue;
    changes.push({ path, before: toEntry(modeBefore, blobBefore), after: toEntry(modeAfter, blobAfter) });
  }
  return changes;
}

function toEntry(mode: string | undefined, blob: string | undefined): CopyEntry | null {
  if (mode === undefined || blob === undefined || mode === '000000') return null;
  return { kind: kinds.get(mode) ?? 'file', mode, blob };
}

const kinds: ReadonlyMap<string, CopyEntry['kind']> = new Map([
  ['100755', 'program'],
  ['120000', 'symlink'],
  ['160000', 'submodule'],
]);

function textOf(result: GitResult, what: string): string {
  if (result.exitCode === 0 && !result.truncated) return result.stdout.toString('latin1');
  throw new CollabError('input', `${what} cannot be read: ${gitWords(result)}`, {
    hint: 'The branch of the run may be deleted, or the repository cleaned up (git gc --prune); start a new run.',
  });
}
