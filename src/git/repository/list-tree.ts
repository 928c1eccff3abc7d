import { CollabError } from '../../errors/collab-error.ts';
import type { GitView } from './git-view.ts';
import { gitWords } from './run-git.ts';

export interface TreeEntry {
  readonly path: string;
  readonly blob: string;
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** `null` when the blob is not in this clone. */
  readonly sizeBytes: number | null;
}

/** Lists every entry of a tree, in git's order; with `paths`, only those. @throws CollabError `range` */
export async function listTree(
  view: GitView,
  tree: string,
  paths: readonly string[] = [],
): Promise<readonly TreeEntry[]> {
  const result = await view.onObjects(['ls-tree', '-r', '-z', '-l', '--full-tree', tree, '--', ...paths]);
  if (result.exitCode !== 0) {
    throw new CollabError('range', `the files under review cannot be listed: ${gitWords(result)}`);
  }
  return result.stdout.toString('utf8').split('\0').flatMap(parseEntry);
}

/** `<mode> <type> <id> <size padded>\t<path>` */
function parseEntry(line: string): readonly TreeEntry[] {
  const [, mode, blob, size, path] = /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t(.+)$/s.exec(line) ?? [];
  if (mode === undefined || blob === undefined || path === undefined) return [];
  const sizeBytes = /^\d+$/.test(size ?? '') ? Number(size) : null;
  return [{ path, blob, kind: kindOf(mode), sizeBytes }];
}

function kindOf(mode: string): TreeEntry['kind'] {
  if (mode === '160000') return 'submodule';
  return mode === '120000' ? 'symlink' : 'file';
}
