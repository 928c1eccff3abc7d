/** Finds the changed files that git could not show as text even before the change. */
import {
  noAttributes,
  type AttributesByPath,
  type FileAttributes,
} from '../../parsers/diff/file-attributes.ts';
import type { GitView } from '../repository/git-view.ts';
import { unreadableError } from '../repository/resolve-commits.ts';
import { treeOfCommit } from '../repository/state-trees.ts';

/** Paths per command line: few enough to fit, however long they are. */
const pathsAtOnce = 100;

/** Adds `wasBinary` to the attributes. Only a change that shows a binary starts git for it. @throws CollabError `range` */
export async function markOldBinaries(
  view: GitView,
  { from, to, diffText, attributes }: BinarySearch,
): Promise<AttributesByPath> {
  if (!/^Binary files .* differ$/m.test(diffText)) return attributes;
  const shown = await listBinaries(view, [from, to]);
  const empty = await treeOfCommit(view, null);
  const old: string[] = [];
  for (let index = 0; index < shown.length; index += pathsAtOnce) {
    const paths = shown.slice(index, index + pathsAtOnce);
    old.push(...(await listBinaries(view, [empty, from, '--', ...paths])));
  }
  const known = new Map<string, FileAttributes>(Object.entries(attributes));
  for (const path of old) known.set(path, { ...(known.get(path) ?? noAttributes), wasBinary: true });
  return Object.fromEntries(known);
}

interface BinarySearch {
  readonly from: string;
  readonly to: string;
  readonly diffText: string;
  readonly attributes: AttributesByPath;
}

async function listBinaries(view: GitView, trees: readonly string[]): Promise<readonly string[]> {
  const result = await view.onObjects(['diff-tree', '-r', '-z', '--numstat', '--no-renames', ...trees]);
  if (result.exitCode !== 0)
    throw unreadableError('the binary files of the old side cannot be listed', result);
  return result.stdout
    .toString('utf8')
    .split('\0')
    .flatMap((line) => (line.startsWith('-\t-\t') ? [line.slice('-\t-\t'.length)] : []));
}
