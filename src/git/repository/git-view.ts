/**
 * A repository as git sees it through a private GIT_DIR of ours.
 *
 * The danger of a foreign repository is its `.git/config`, which no environment variable switches off: filters,
 * fsmonitor, hooks, textconv. Overriding each with `-c` requires all their names, in this and every later git. A private
 * GIT_DIR has none of them: we write its configuration, its `objects` borrow from the repository's, its refs are a link
 * to the repository's, and its index is a copy. It works for linked worktrees as well, because HEAD and index are read
 * from the worktree's own folder and everything else from the common one.
 */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { allDone } from '../../system/all-done.ts';
import { realPlace } from '../../system/files/in-folder.ts';
import { makeTemporaryFolder } from '../../system/files/temporary.ts';
import {
  copyRegular,
  createFile,
  createFolder,
  createLink,
  removeTree,
  setTimes,
} from '../../system/files/tree.ts';
import { remove } from '../../system/files/write.ts';
import { isFile, type Repository } from './find-root.ts';
import { readHarmlessSettings, type GitSettings } from './harmless-settings.ts';
import { findObjectFolders, renderAlternates } from './object-folders.ts';
import { createObjectReader, type ObjectReader } from './object-reader.ts';
import { renderGitConfig } from './render-git-config.ts';
import { runGit, type GitEnvironment, type GitResult, type GitCall } from './run-git.ts';

export interface GitView {
  readonly repository: Repository;
  readonly commits?: KnownCommits | undefined;
  /**
   * Runs git with refs, index and the work tree. Attributes may change line endings and nothing else: no driver is
   * configured.
   */
  readonly inWorkTree: RunInView;
  /**
   * Runs git on objects alone. Without work tree, index and HEAD, no `.gitattributes` can hide a file and no
   * `.gitmodules` can stop git.
   */
  readonly onObjects: RunInView;
  /** Reads objects by their names and ids, with refs; ends with the view. */
  readonly objects: ObjectReader;
  /** Copies the repository's index, so that `inWorkTree` sees and may change a copy. */
  copyIndex(): Promise<void>;
  close(): Promise<void>;
}

export interface PrivateView extends GitView {
  /** Lists the objects that were written through this view and disappear with it. */
  newObjects(): Promise<ReadonlySet<string>>;
}

export type RunInView = (args: readonly string[], options?: ViewCallOptions) => Promise<GitResult>;

export interface ViewCallOptions extends Pick<
  GitCall,
  'input' | 'maxOutputBytes' | 'onStdoutChunk' | 'isIdle'
> {
  /** Added to the view's own variables, and stronger: another index, another work tree, an identity. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The ids of resolved names. A name that moves in the meantime keeps its first id. */
export type KnownCommits = Map<string, string>;

export interface OpenViewOptions {
  readonly env: GitEnvironment;
  readonly signal?: AbortSignal;
}

export interface OpenGitViewOptions extends OpenViewOptions {
  /** Keeps what names were resolved to; without it, each name is resolved when it is used. */
  readonly commits?: KnownCommits;
  /** Writes new objects to the repository itself, permanently; otherwise they disappear with the view. */
  readonly keepObjects?: boolean;
}

/**
 * Opens a view, which the caller closes.
 * @throws CollabError `input` when there is no git or the repository cannot be read
 */
export async function openGitView(
  repository: Repository,
  { keepObjects = false, commits, ...options }: OpenGitViewOptions,
): Promise<PrivateView> {
  const folder = makeTemporaryFolder('collab-git-');
  try {
    await writeGitDirs(folder, repository, { ...options, keepObjects });
  } catch (error) {
    await removeTree(folder);
    throw error;
  }
  const runWith =
    (cwd: string, variables: Record<string, string>): RunInView =>
    (args, call = {}) =>
      runGit({
        ...options,
        ...call,
        args,
        cwd,
        variables: { ...variables, ...call.variables },
        repositoryRoot: repository.root,
      });
  const storage = {
    GIT_OBJECT_DIRECTORY: keepObjects ? join(repository.commonDir, 'objects') : join(folder, 'objects'),
  };
  const inWorkTree = runWith(repository.root, {
    ...storage,
    GIT_DIR: folder,
    GIT_WORK_TREE: repository.root,
  });
  const objects = createObjectReader(inWorkTree);
  return {
    repository,
    commits,
    inWorkTree,
    onObjects: runWith(folder, { ...storage, GIT_DIR: join(folder, 'blind') }),
    objects,
    newObjects: () => listObjects(join(folder, 'objects')),
    copyIndex: () => copyIndex(folder, repository, options.env),
    async close() {
      await objects.close();
      await removeTree(folder);
    },
  };
}

async function writeGitDirs(
  folder: string,
  repository: Repository,
  { keepObjects, ...options }: OpenViewOptions & { readonly keepObjects: boolean },
): Promise<void> {
  for (const path of privateFolders) createFolder(join(folder, path));
  const [settings, objectFolders] = await Promise.all([
    readHarmlessSettings(repository, { ...options, cwd: folder }),
    findObjectFolders(join(repository.commonDir, 'objects')),
  ]);
  createFile(join(folder, 'objects/info/alternates'), renderAlternates(objectFolders));
  createFile(join(folder, 'config'), renderGitConfig(privateSettings(settings, false, keepObjects)));
  createFile(join(folder, 'blind/config'), renderGitConfig(privateSettings(settings, true, keepObjects)));
  createFile(join(folder, 'blind/HEAD'), 'ref: refs/heads/none\n');
  await borrowRefs(folder, repository);
}

/** Each folder follows the folder that contains it. */
const privateFolders = [
  'objects',
  'objects/info',
  'objects/pack',
  'info',
  'blind',
  'blind/refs',
  'blind/objects',
];

function privateSettings(harmless: GitSettings, blind: boolean, keepObjects: boolean): GitSettings {
  const sha256 = harmless.get('extensions.objectformat') === 'sha256';
  const worktreeOnly = [...harmless].filter(([key]) => !blind && !key.startsWith('extensions.'));
  return new Map([
    ...worktreeOnly,
    ['core.repositoryformatversion', sha256 ? '1' : '0'],
    ...(sha256 ? ([['extensions.objectformat', 'sha256']] as const) : []),
    ['core.bare', String(blind)],
    ['core.fsmonitor', 'false'],
    ['core.hookspath', '/dev/null'],
    ['core.attributesfile', '/dev/null'],
    // Compressing data that is deleted a second later is not worth it.
    ['core.loosecompression', keepObjects ? '1' : '0'],
    // A reflog would be written to that of the linked worktree.
    ['core.logallrefupdates', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['protocol.allow', 'never'],
  ]);
}

async function borrowRefs(folder: string, { gitDir, commonDir }: Repository): Promise<void> {
  createLink(join(folder, 'refs'), join(commonDir, 'refs'), 'junction');
  createLink(join(folder, 'logs'), join(gitDir, 'logs'), 'junction');
  await allDone([
    copyEach(gitDir, folder, ['HEAD', 'ORIG_HEAD', 'FETCH_HEAD', 'MERGE_HEAD', 'info/sparse-checkout']),
    copyEach(commonDir, folder, ['packed-refs', 'shallow', 'info/exclude', 'info/attributes']),
  ]);
}

/** Git writes each new object as a file: `12/3456…`. */
async function listObjects(objects: string): Promise<ReadonlySet<string>> {
  const paths = await readdir(objects, { recursive: true });
  return new Set(paths.map((path) => path.replaceAll(sep, '')).filter((id) => /^[0-9a-f]{40,64}$/.test(id)));
}

/** In a hook of `git commit --all`, the state to be committed is in another index, which git names. */
async function copyIndex(folder: string, { root, gitDir }: Repository, env: GitEnvironment): Promise<void> {
  const named = env['GIT_INDEX_FILE'] ?? '';
  const index = named === '' ? join(gitDir, 'index') : resolve(root, named);
  await copyFileWithTime(index, join(folder, 'index'));
  await copyEach(gitDir, folder, await sharedIndexes(gitDir));
}

/** A split index refers to its other half by digest. */
async function sharedIndexes(gitDir: string): Promise<readonly string[]> {
  return (await readdir(gitDir)).filter((name) => name.startsWith('sharedindex.'));
}

async function copyEach(from: string, to: string, names: readonly string[]): Promise<void> {
  await allDone(names.map((name) => copyFileWithTime(join(from, name), join(to, name))));
}

/** Copies a regular file if it exists; keeps the time stamp, because git compares the index's with the files'. */
async function copyFileWithTime(source: string, target: string): Promise<void> {
  if (!(await isFile(source))) return;
  const times = await stat(source);
  remove(target);
  await copyRegular(realPlace(source), target);
  setTimes(target, times);
}
