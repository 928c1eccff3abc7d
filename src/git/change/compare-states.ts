import { CollabError } from '../../errors/collab-error.ts';
import { allDone } from '../../system/all-done.ts';
import type { ChangeInput, ChangeRequest } from './change-input.ts';
import { findHiddenFiles, listIgnored, type HiddenFiles } from './hidden-files.ts';
import type { GitView } from '../repository/git-view.ts';
import { findMergeBase, resolveCommit, resolveHead, resolveParent } from '../repository/resolve-commits.ts';
import { treeByIndex, treeOfCommit, treeOfIndex } from '../repository/state-trees.ts';

export type GitRequest = Exclude<ChangeRequest, { kind: 'file' | 'stdin' }>;

/** Returns false for a diff from elsewhere. */
export function isGitRequest(request: ChangeRequest): request is GitRequest {
  return request.kind !== 'file' && request.kind !== 'stdin';
}

/** The two states to compare. */
export interface Compared extends Pick<ChangeInput, 'base' | 'head' | 'mergeBase' | 'untracked' | 'hidden'> {
  /** Trees. */
  readonly from: string;
  readonly to: string;
  /** "main...topic", "working tree against HEAD 1a2b3c4d5e6f". */
  readonly title: string;
  readonly remarks: readonly string[];
}

/**
 * `onFrom` gets the tree of the old side as soon as it is known, which is long before that of a working tree.
 * @throws CollabError `input`, `range`
 */
export function compareStates(
  view: GitView,
  request: GitRequest,
  onFrom: (tree: string) => void = () => undefined,
): Promise<Compared> {
  if (request.kind === 'range') {
    const { range, title = range } = request;
    return compareRange(view, range, title);
  }
  if (request.kind === 'base') return compareSince(view, request.ref, 'HEAD');
  if (request.kind === 'commit') return compareCommit(view, request.sha);
  if (request.kind === 'staged') return compareStaged(view);
  request satisfies { readonly kind: 'working_tree' };
  return compareWorkTree(view, onFrom);
}

/** An empty end is HEAD. @throws CollabError `range` */
export function splitRange(range: string): {
  readonly base: string;
  readonly dots: string;
  readonly head: string;
} {
  const [, base, dots, head] = /^(.*?)(\.{2,3})(.*)$/s.exec(range) ?? [];
  if (base === undefined || dots === undefined || head === undefined) {
    throw new CollabError('range', `"${range}" is not a range`, { hint: 'Write it as main...HEAD' });
  }
  return { base: base || 'HEAD', dots, head: head || 'HEAD' };
}

async function compareRange(view: GitView, range: string, title: string): Promise<Compared> {
  const { base: baseName, dots, head: headName } = splitRange(range);
  if (dots === '...') return { ...(await compareSince(view, baseName, headName)), title };
  const [from, to] = [await resolveCommit(view, baseName), await resolveCommit(view, headName)];
  return {
    ...(await commitTrees(view, from, to)),
    base: from,
    head: to,
    mergeBase: null,
    title,
    remarks: [],
  };
}

async function compareSince(view: GitView, baseName: string, headName: string): Promise<Compared> {
  const title = `${baseName}...${headName}`;
  const [base, head] = [await resolveCommit(view, baseName), await resolveCommit(view, headName)];
  const mergeBase = await findMergeBase(view, base, head, title);
  const remarks = [`since ${short(mergeBase)}`];
  return { ...(await commitTrees(view, mergeBase, head)), base, head, mergeBase, title, remarks };
}

async function compareCommit(view: GitView, name: string): Promise<Compared> {
  const head = await resolveCommit(view, name);
  const base = await resolveParent(view, head);
  const remarks = [base === null ? 'the first commit' : `against its parent ${short(base)}`];
  return {
    ...(await commitTrees(view, base, head)),
    base,
    head,
    mergeBase: base,
    title: `commit ${short(head)}`,
    remarks,
  };
}

async function compareStaged(view: GitView): Promise<Compared> {
  const base = await resolveHead(view);
  const [from, to] = [await treeOfCommit(view, base), await treeOfIndex(view)];
  return {
    from,
    to,
    base,
    head: null,
    mergeBase: null,
    title: `staged changes ${against(base)}`,
    remarks: [],
  };
}

async function compareWorkTree(view: GitView, onFrom: (tree: string) => void): Promise<Compared> {
  const head = treeOfHead(view, onFrom);
  // The failure is reported below.
  head.catch(() => undefined);
  // New files, which the snapshot stages, are not ignored: its index lists the same ones before and afterward.
  await view.copyIndex();
  const findHidden = async (): Promise<HiddenFiles> => {
    const ignored = await listIgnored(view);
    return findHiddenFiles(view, (await head).from, ignored);
  };
  const [{ base, from }, taken, hidden] = await allDone([head, treeByIndex(view), findHidden()]);
  const remarks = [
    ...(taken.untracked.length > 0 ? [`${taken.untracked.length} of them untracked`] : []),
    ...(taken.nestedRepositories > 0
      ? [`${counted(taken.nestedRepositories, 'nested repository', 'nested repositories')} left out`]
      : []),
    ...(hidden.byOwnRules > 0
      ? [`${counted(hidden.byOwnRules, 'untracked file', 'untracked files')} left out by .git/info/exclude`]
      : []),
  ];
  return {
    from,
    to: taken.tree,
    base,
    head: null,
    mergeBase: null,
    title: `working tree ${against(base)}`,
    remarks,
    untracked: taken.untracked,
    hidden: hidden.byChange,
  };
}

async function treeOfHead(view: GitView, onFrom: (tree: string) => void) {
  const base = await resolveHead(view);
  const from = await treeOfCommit(view, base);
  onFrom(from);
  return { base, from };
}

async function commitTrees(view: GitView, from: string | null, to: string) {
  return { from: await treeOfCommit(view, from), to: await treeOfCommit(view, to) };
}

function against(commit: string | null): string {
  return commit === null ? 'of a repository without commits' : `against HEAD ${short(commit)}`;
}

function short(commit: string): string {
  return commit.slice(0, 12);
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
