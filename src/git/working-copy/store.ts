/**
 * The run's own git directory: every state of the lead's folder, byte for byte. No attribute or setting of the repository
 * affects it, so nothing is executed and no line ending changes; objects that the repository already has are borrowed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { readNamedIfThere } from '../../system/files/read.ts';
import { remove, writeAtomically } from '../../system/files/write.ts';
import type { Repository } from '../repository/find-root.ts';
import type { GitView, OpenViewOptions, RunInView } from '../repository/git-view.ts';
import { readHarmlessSettings, type GitSettings } from '../repository/harmless-settings.ts';
import { createObjectReader, type ObjectReader } from '../repository/object-reader.ts';
import { findObjectFolders, renderAlternates } from '../repository/object-folders.ts';
import { renderGitConfig } from '../repository/render-git-config.ts';
import { runGit } from '../repository/run-git.ts';
import { dependencyFolders } from './plain.ts';

export interface StoreOptions extends OpenViewOptions {
  /** The git directory; created if missing, repaired if incomplete. */
  readonly path: string;
  /** The folder whose states are stored. */
  readonly folder: string;
  readonly repository: Repository | null;
}

/** @throws CollabError `input` */
export async function openStore(options: StoreOptions): Promise<GitView> {
  const { path, folder, repository } = options;
  await writeStore(options);
  const runWith =
    (cwd: string, variables: Record<string, string>): RunInView =>
    (args, call = {}) =>
      runGit({
        env: options.env,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
        ...call,
        args,
        cwd,
        variables: { ...variables, ...call.variables },
        repositoryRoot: repository?.root ?? null,
      });
  const storage = { GIT_OBJECT_DIRECTORY: join(path, 'objects') };
  const inFolder = { ...storage, GIT_DIR: path, GIT_WORK_TREE: folder, GIT_INDEX_FILE: storeIndex(path) };
  const onObjects = runWith(path, { ...storage, GIT_DIR: join(path, 'blind') });
  return {
    repository: { root: folder, gitDir: path, commonDir: path },
    inWorkTree: runWith(path, inFolder),
    onObjects,
    objects: readEachAlone(onObjects),
    // The index is the store's own, so there is nothing to copy.
    copyIndex: async () => {},
    close: async () => {},
  };
}

/** Ends git after each question: a working copy has no end at which it could, and the process would wait for it. */
function readEachAlone(run: RunInView): ObjectReader {
  const ask = async <Answer>(question: (objects: ObjectReader) => Promise<Answer>): Promise<Answer> => {
    const objects = createObjectReader(run);
    try {
      return await question(objects);
    } finally {
      await objects.close();
    }
  };
  return {
    id: (name) => ask((objects) => objects.id(name)),
    trees: (names) => ask((objects) => objects.trees(names)),
    blobs: (ids) => ask((objects) => objects.blobs(ids)),
    close: async () => {},
  };
}

/** Not `index`: git uses that one when it is started in the folder. */
export function storeIndex(path: string): string {
  return join(path, 'states.index');
}

/** Each part follows its parent folder. */
const parts = [
  '',
  'objects',
  'objects/info',
  'objects/pack',
  'refs',
  'refs/heads',
  'info',
  'blind',
  'blind/refs',
  'blind/objects',
];

async function writeStore({ path, repository, ...options }: StoreOptions): Promise<void> {
  for (const part of parts) makeFolder(join(path, part));
  // Left behind by a killed process: the run has one owner, so no other process can hold it.
  remove(`${storeIndex(path)}.lock`);
  const settings =
    repository === null ? new Map() : await readHarmlessSettings(repository, { ...options, cwd: path });
  refuseSha256(settings);
  const config = renderGitConfig(storeSettings(settings));
  const files = {
    config,
    'blind/config': config,
    'blind/HEAD': 'ref: refs/heads/none\n',
    'info/attributes': '* -text -ident -filter -diff -merge -working-tree-encoding\n',
    'info/exclude': excludes(repository),
    'objects/info/alternates': await alternates(repository),
    ...(existsSync(join(path, 'HEAD')) ? {} : { HEAD: 'ref: refs/heads/edits\n' }),
  };
  for (const [name, content] of Object.entries(files)) {
    writeAtomically(join(path, name), content, { synced: false });
  }
}

function storeSettings(harmless: GitSettings): GitSettings {
  const windows = process.platform === 'win32';
  return new Map([
    ['core.repositoryformatversion', '0'],
    ['core.bare', 'false'],
    ['core.filemode', String(!windows)],
    ['core.symlinks', String(!windows)],
    ...[...harmless].filter(([key]) => fileSystemKeys.has(key)),
    ['core.autocrlf', 'false'],
    ['core.protecthfs', 'true'],
    ['core.protectntfs', 'true'],
    ['core.fsmonitor', 'false'],
    ['core.hookspath', '/dev/null'],
    ['core.attributesfile', '/dev/null'],
    ['core.loosecompression', '1'],
    ['core.logallrefupdates', 'false'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['protocol.allow', 'never'],
  ]);
}

/** Settings for the file system and for ignored files; none that changes a file's content. */
const fileSystemKeys = new Set([
  'core.filemode',
  'core.symlinks',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.trustctime',
  'core.checkstat',
  'core.excludesfile',
]);

/** Rules that apply in addition to the folder's `.gitignore` files. */
function excludes(repository: Repository | null): string | Buffer {
  if (repository === null) return dependencyFolders.map((name) => `${name}/\n`).join('');
  return readNamedIfThere(join(repository.commonDir, 'info/exclude')) ?? '';
}

async function alternates(repository: Repository | null): Promise<string> {
  if (repository === null) return '';
  return renderAlternates(await findObjectFolders(join(repository.commonDir, 'objects')));
}

function refuseSha256(settings: GitSettings): void {
  if (settings.get('extensions.objectformat') !== 'sha256') return;
  throw new CollabError(
    'input',
    'this repository uses SHA-256 object names, which runs with edits do not support yet',
    {
      hint: 'Review its changes instead: collab review',
    },
  );
}
