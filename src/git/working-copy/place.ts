/** The parts of an open working copy, and the repair of its folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock, type Clock } from '../../system/clock.ts';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { removeTree } from '../../system/files/tree.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import type { Repository } from '../repository/find-root.ts';
import { openGitView, type GitView, type OpenViewOptions } from '../repository/git-view.ts';
import type { CommittedTree } from './record.ts';
import { registerWorktree, setWorktreeIndex } from './registration.ts';
import { restoreFolder } from './states.ts';
import { openStore } from './store.ts';
import type { WorkingCopyOptions } from './working-copy.ts';

export interface WorkingCopyPlace extends OpenViewOptions {
  readonly repository: Repository | null;
  readonly runId: string;
  readonly root: string;
  readonly folder: string;
  readonly store: GitView;
  /** A branch of the repository, or of the store if there is no repository. */
  readonly branch: string;
  readonly clock: Clock;
}

export function storePath(runFolder: string): string {
  return join(runFolder, 'edits.git');
}

export async function openPlace(
  options: WorkingCopyOptions,
  repository: Repository | null,
): Promise<WorkingCopyPlace> {
  const { cwd, runId, env, signal, clock = systemClock } = options;
  const [folder, runFolder] = [realPlace(options.folder), realPlace(options.runFolder)];
  const calls = { env, ...(signal === undefined ? {} : { signal }) };
  const store = await openStore({ ...calls, path: storePath(runFolder), folder, repository });
  const root = realPlace(repository?.root ?? cwd);
  return {
    ...calls,
    repository,
    runId,
    root,
    folder,
    store,
    branch: repository === null ? 'edits' : `collab/${runId}`,
    clock,
  };
}

/** Opens the place for commits: the user's repository, or without one the store. */
export async function withCommits<Value>(
  { repository, store, env, signal }: WorkingCopyPlace,
  work: (view: GitView) => Promise<Value>,
): Promise<Value> {
  if (repository === null) return work(store);
  const calls = { env, ...(signal === undefined ? {} : { signal }) };
  const view = await openGitView(repository, { ...calls, keepObjects: true });
  try {
    return await work(view);
  } finally {
    await view.close();
  }
}

/** Writes a missing or half-written folder again; repairs the registration in any case. */
export async function makeWhole(place: WorkingCopyPlace, { commit, tree }: CommittedTree): Promise<void> {
  const { folder, store } = place;
  const unfinished = join(store.repository.gitDir, 'folder.unfinished');
  if (existsSync(folder) && !existsSync(unfinished)) return connectStore(place, commit);
  writeAtomically(unfinished, '', { synced: false });
  makeFolder(folder);
  await restoreFolder(store, tree);
  await connectStore(place, commit);
  remove(unfinished);
}

/** Connects the folder to git, so that git commands work in it. */
export async function connectStore(place: WorkingCopyPlace, commit: string): Promise<void> {
  const { repository, folder, runId, branch, store } = place;
  if (repository === null) {
    await removeTree(join(folder, '.git'));
    writeAtomically(join(folder, '.git'), `gitdir: ${store.repository.gitDir}\n`, { synced: false });
    return;
  }
  await registerWorktree({ repository, runId, folder, branch });
  await withCommits(place, (view) => setWorktreeIndex(view, runId, commit));
}
