import { CollabError } from '../../errors/collab-error.ts';
import type { GitView } from '../repository/git-view.ts';
import { parseRawDiff, type ChangedPath } from '../repository/raw-diff.ts';
import { unreadableError } from '../repository/resolve-commits.ts';
import { maxDiffBytes } from './change-input.ts';

export interface TreeDiff {
  /** The text of a unified diff. */
  readonly text: string;
  readonly changed: readonly ChangedPath[];
}

interface DiffPart {
  readonly paths?: readonly string[];
  readonly renames?: boolean;
}

/** Returns the diff from one tree to another. @throws CollabError `input`, `range` */
export async function diffTrees(
  view: GitView,
  from: string,
  to: string,
  { paths = [], renames = true }: DiffPart = {},
): Promise<TreeDiff> {
  const flags = [
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--ignore-submodules=none',
    '--submodule=short',
  ];
  const shape = [
    '-r',
    '-z',
    '--raw',
    '-p',
    renames ? '-M' : '--no-renames',
    '--full-index',
    '--unified=3',
    '--src-prefix=a/',
    '--dst-prefix=b/',
  ];
  const result = await view.onObjects(['diff-tree', ...shape, ...flags, from, to, '--', ...paths], {
    maxOutputBytes: maxDiffBytes,
    // Only `whole` names paths, and marks each as literal itself.
    variables: { GIT_LITERAL_PATHSPECS: '0' },
  });
  if (result.truncated) {
    throw new CollabError('input', 'the change is larger than 256 MB', {
      hint: 'Review a smaller range, or part of the files: git diff main...HEAD -- src | collab review -',
    });
  }
  if (result.exitCode !== 0) throw unreadableError('the change cannot be read', result);
  const { changed, end } = parseRawDiff(result.stdout);
  return { text: result.stdout.toString('utf8', end), changed };
}

/** The same, with the whole text of some paths, even if they are renamed or changed in part. */
export async function diffWith(
  view: GitView,
  from: string,
  to: string,
  whole: readonly string[],
): Promise<TreeDiff> {
  if (whole.length === 0) return diffTrees(view, from, to);
  const others = whole.map((path) => `:(exclude,top,literal)${path}`);
  const added = whole.map((path) => `:(top,literal)${path}`);
  const [rest, shown] = await Promise.all([
    diffTrees(view, from, to, { paths: others }),
    diffTrees(view, from, to, { paths: added, renames: false }),
  ]);
  return { text: `${rest.text}${shown.text}`, changed: [...rest.changed, ...shown.changed] };
}
