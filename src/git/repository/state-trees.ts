/** Reads every state of a repository as a tree: a diff or a review folder needs only two trees. */
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { CollabError } from '../../errors/collab-error.ts';
import type { GitView } from './git-view.ts';
import { damagedHint, resolveCommit, resolveHead } from './resolve-commits.ts';
import { gitWords, type GitResult } from './run-git.ts';

export interface WorkTree {
  readonly tree: string;
  /** Paths of new files that are not ignored. */
  readonly untracked: readonly string[];
  /** Repositories inside the work tree that are not submodules; their content is never read. */
  readonly nestedRepositories: number;
}

/** `head`, `staged`, `working_tree`, or a commit. */
export type TreeState = 'head' | 'staged' | 'working_tree' | (string & {});

/** @throws CollabError `input`, `range` */
export async function findTree(view: GitView, state: TreeState): Promise<string> {
  switch (state) {
    case 'head':
      return treeOfCommit(view, await resolveHead(view));
    case 'staged':
      return treeOfIndex(view);
    case 'working_tree':
      return (await treeOfWorkTree(view)).tree;
    default:
      return treeOfCommit(view, await resolveCommit(view, state));
  }
}

/** Returns the empty tree when there is no commit. */
export async function treeOfCommit(view: GitView, commit: string | null): Promise<string> {
  if (commit === null) {
    return firstLine(await view.onObjects(['hash-object', '-t', 'tree', '--stdin'], { input: '' }));
  }
  const tree = await view.objects.id(`${commit}^{tree}`);
  if (tree !== null) return tree;
  throw new CollabError('range', `commit ${commit} has no readable tree`, { hint: damagedHint });
}

/** Returns the tree of the staged state. @throws CollabError `input` while a merge is unresolved */
export async function treeOfIndex(view: GitView): Promise<string> {
  await view.copyIndex();
  const unmerged = await view.inWorkTree(['ls-files', '--unmerged', '-z']);
  if (unmerged.stdout.length > 0) {
    throw new CollabError('input', 'the index has unresolved merge conflicts', {
      hint: 'Resolve and stage them, or review the working tree: collab review',
    });
  }
  return writeTree(view);
}

/**
 * Returns the work tree as the next `git add --all` would stage it, but through a copy of the index and without any
 * filter or hook.
 */
export async function treeOfWorkTree(view: GitView): Promise<WorkTree> {
  await view.copyIndex();
  return treeByIndex(view);
}

/** The same in a view that has a copy of the index. */
export async function treeByIndex(view: GitView): Promise<WorkTree> {
  const others = await stageWorkTree(view);
  return { tree: await writeTree(view), ...others };
}

/** Stages all differences from the view's index, except the paths that `leavesOut` names. */
export async function stageWorkTree(
  view: GitView,
  leavesOut: (path: Buffer) => boolean = () => false,
): Promise<Omit<WorkTree, 'tree'>> {
  const [changed, others] = await Promise.all([
    // Only a submodule's commit counts: a search for changes inside would start git with the submodule's own
    // configuration.
    listPaths(view, ['diff-files', '-z', '--name-only', '--ignore-submodules=dirty']),
    listPaths(view, ['ls-files', '-z', '--others', '--exclude-standard']),
  ]);
  const nested = others.filter((path) => path.at(-1) === slash);
  const untracked = others.filter((path) => path.at(-1) !== slash && !isOurs(path) && !leavesOut(path));
  await stage(view, [...changed.filter((path) => !leavesOut(path)), ...untracked]);
  return { untracked: untracked.map(String), nestedRepositories: nested.length };
}

const slash = '/'.charCodeAt(0);

/** A run's own records must not become part of what it reviews. */
export function isOurs(path: Buffer): boolean {
  return path.toString('latin1').split('/').includes('.collab');
}

/** Lists paths as bytes: a file name need not be UTF-8. */
export async function listPaths(view: GitView, args: readonly string[]): Promise<readonly Buffer[]> {
  const result = await view.inWorkTree(args);
  if (result.exitCode !== 0) throw workTreeUnreadable(result);
  const names = result.stdout
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '');
  return [...new Set(names)].map((name) => Buffer.from(name, 'latin1'));
}

/** Stages these paths as they are on disk: changed, new or removed. */
export async function stage(view: GitView, paths: readonly Buffer[]): Promise<void> {
  const looks: Looks = new Map();
  const canStay = await Promise.all(paths.map((path) => canBeStored(view, path, looks)));
  const storable = paths.filter((_, index) => canStay[index] === true);
  const gone = paths.filter((_, index) => canStay[index] !== true);
  await updateIndex(view, ['--force-remove'], gone);
  await updateIndex(view, ['--add', '--remove', '--replace'], storable);
}

/** Folders of the work tree by their paths as latin1: true if the folder and all above it are no links. */
type Looks = Map<string, Promise<boolean>>;

/**
 * Git does not store pipes, sockets and devices, nor a file beyond a link: a tracked file that became one, or whose folder
 * became a link, counts as deleted.
 */
async function canBeStored(view: GitView, path: Buffer, looks: Looks): Promise<boolean> {
  const found = await lookInTree(view, path);
  if (found === null || !(found.isFile() || found.isSymbolicLink() || found.isDirectory())) return false;
  return isReal(view, folderIn(path), looks);
}

function isReal(view: GitView, folder: Buffer, looks: Looks): Promise<boolean> {
  if (folder.length === 0) return Promise.resolve(true);
  const name = folder.toString('latin1');
  const look = looks.get(name) ?? lookAtFolder(view, folder, looks);
  looks.set(name, look);
  return look;
}

async function lookAtFolder(view: GitView, folder: Buffer, looks: Looks): Promise<boolean> {
  if ((await lookInTree(view, folder))?.isDirectory() !== true) return false;
  return isReal(view, folderIn(folder), looks);
}

/** Empty for a name at the top. */
function folderIn(path: Buffer): Buffer {
  return path.subarray(0, Math.max(0, path.lastIndexOf(slash)));
}

function lookInTree(view: GitView, path: Buffer): Promise<Stats | null> {
  return lstat(Buffer.concat([Buffer.from(`${view.repository.root}/`), path])).catch(() => null);
}

export async function updateIndex(
  view: Pick<GitView, 'inWorkTree'>,
  flags: readonly string[],
  paths: readonly Buffer[],
): Promise<void> {
  if (paths.length === 0) return;
  const input = Buffer.concat(paths.flatMap((path) => [path, Buffer.from([0])]));
  for (let attempt = 1; ; attempt += 1) {
    const result = await view.inWorkTree(['update-index', ...flags, '-z', '--stdin'], { input });
    if (result.exitCode === 0) return;
    if (attempt === mostAttempts || !isBeingWritten(result)) throw workTreeUnreadable(result);
  }
}

/** Attempts before the review gives up on a file that is written constantly. */
const mostAttempts = 10;

/** Returns true if a file became shorter while git read it. */
function isBeingWritten(result: GitResult): boolean {
  return /short read while indexing/.test(gitWords(result));
}

export async function writeTree(view: GitView): Promise<string> {
  const result = await view.inWorkTree(['write-tree', '--missing-ok']);
  if (result.exitCode !== 0) throw workTreeUnreadable(result);
  return firstLine(result);
}

export function workTreeUnreadable(result: GitResult): CollabError {
  return new CollabError('input', `the working tree cannot be read: ${gitWords(result)}`, {
    hint: 'Make the file readable, ignore it (.gitignore), or review commits: collab review main...HEAD',
  });
}

function firstLine(result: GitResult): string {
  return result.stdout.toString('utf8').split('\n')[0] ?? '';
}
