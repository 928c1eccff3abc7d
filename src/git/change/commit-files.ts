/** Single files of a commit, read from their blobs: without a checkout, a filter or following a link. */
import { posix, relative, sep } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeRequest } from './change-input.ts';
import { splitRange } from './compare-states.ts';
import { findRepository } from '../repository/find-root.ts';
import type { GitView } from '../repository/git-view.ts';
import { listTree, type TreeEntry } from '../repository/list-tree.ts';
import { folderMode, type ObjectEntry } from '../repository/object-reader.ts';
import { resolveCommit, resolveHead, resolveParent } from '../repository/resolve-commits.ts';
import { openView, type SharedViewOptions } from '../repository/shared-view.ts';
import { treeOfCommit } from '../repository/state-trees.ts';

export interface CommitFiles {
  /** `origin/main (1a2b3c4d5e6f)` */
  readonly title: string;
  /** Finds a file by its absolute path in the work tree; null when the commit does not have it. */
  readonly find: (path: string) => Promise<TreeEntry | null>;
  /** Returns the names in a folder, by its absolute path; none if the commit does not have it. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly read: (entry: TreeEntry) => Promise<Buffer>;
  readonly close: () => Promise<void>;
}

export type WantedCommit =
  | { readonly kind: 'ref'; readonly ref: string }
  /** The state before the change: the change's own edits are not in it. */
  | { readonly kind: 'base_of'; readonly change: ChangeRequest };

/**
 * Returns null when a change has no base: a diff from elsewhere, the first commit. The caller closes the result.
 * @throws CollabError `input` outside of a repository, `range` for a name that git does not know
 */
export async function openCommitFiles(
  wanted: WantedCommit,
  { cwd, ...options }: SharedViewOptions & { readonly cwd: string },
): Promise<CommitFiles | null> {
  const repository = await findRepository(cwd);
  if (repository === null) {
    if (wanted.kind === 'base_of') return null;
    throw new CollabError(
      'input',
      `${cwd} is not in a git repository, which --config-from ${wanted.ref} needs`,
    );
  }
  const view = await openView(repository, options);
  try {
    const found = await findCommit(view, wanted);
    if (found !== null) return await filesOf(view, found);
  } catch (error) {
    await view.close();
    throw error;
  }
  await view.close();
  return null;
}

interface NamedCommit {
  readonly commit: string;
  readonly name: string;
}

async function findCommit(view: GitView, wanted: WantedCommit): Promise<NamedCommit | null> {
  if (wanted.kind === 'ref') return byName(view, wanted.ref);
  const { change } = wanted;
  switch (change.kind) {
    case 'base':
      return byName(view, change.ref);
    case 'range':
      return byName(view, splitRange(change.range).base);
    case 'commit':
      return orNone('its parent', await resolveParent(view, await resolveCommit(view, change.sha)));
    case 'staged':
    case 'working_tree':
      return orNone('HEAD', await resolveHead(view));
    case 'file':
    case 'stdin':
      return null;
  }
}

async function byName(view: GitView, name: string): Promise<NamedCommit> {
  return { name, commit: await resolveCommit(view, name) };
}

function orNone(name: string, commit: string | null): NamedCommit | null {
  return commit === null ? null : { name, commit };
}

async function filesOf(view: GitView, { commit, name }: NamedCommit): Promise<CommitFiles> {
  const tree = await treeOfCommit(view, commit);
  const wayTo = (path: string): string | null => {
    const way = relative(view.repository.root, path).split(sep).join('/');
    return way === '' || way === '..' || way.startsWith('../') ? null : way;
  };
  const notHere = (what: string): CollabError =>
    new CollabError('range', `${what} of ${name} is not in this clone`, {
      hint: 'Fetch the history: git fetch --unshallow',
    });
  // Several names are looked for in each folder.
  const folders = new Map<string, Promise<readonly ObjectEntry[]>>();
  const entriesIn = (folder: string): Promise<readonly ObjectEntry[]> => {
    const entries = folders.get(folder) ?? readFolder(folder);
    folders.set(folder, entries);
    return entries;
  };
  const entryAt = async (way: string): Promise<ObjectEntry | undefined> => {
    const entries = await entriesIn(posix.dirname(way));
    return entries.find((entry) => entry.name === posix.basename(way));
  };
  /** Reads the tree by its id, since a name may have a line end. */
  const readFolder = async (folder: string): Promise<readonly ObjectEntry[]> => {
    const entry = folder === '.' ? { id: tree, mode: folderMode } : await entryAt(folder);
    if (entry?.mode !== folderMode) return [];
    const [entries = null] = await view.objects.trees([entry.id]);
    if (entries === null) throw notHere(folder === '.' ? 'the tree' : folder);
    return entries;
  };
  return {
    title: `${name} (${commit.slice(0, 12)})`,
    async find(path) {
      const way = wayTo(path);
      const entry = way === null ? undefined : await entryAt(way);
      if (way === null || entry === undefined || entry.mode === folderMode) return null;
      const [found = null] = await listTree(view, tree, [way]);
      return found;
    },
    async list(folder) {
      const way = wayTo(folder);
      return way === null ? [] : (await entriesIn(way)).map((entry) => entry.name);
    },
    async read({ path, blob }) {
      const [content = null] = await view.objects.blobs([blob]);
      if (content !== null) return content;
      throw notHere(path);
    },
    close: () => view.close(),
  };
}
