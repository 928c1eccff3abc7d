/**
 * Files that are kept of a repository between runs, below the state folder and never in the repository: the contents of files
 * (`blobs`), the lists of the files of trees (`trees`, `lists`), and folders that are filled with the files of one tree
 * (`folders`).
 * Any number of processes may use it at once, and any of them may be killed at any moment.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { inNewFolder } from '../../system/files/in-folder.ts';
import { openManyFiles, type ManyFiles } from '../../system/files/many-files.ts';
import { setTimes } from '../../system/files/tree.ts';
import { sha256 } from '../../text/digest.ts';
import type { Repository } from '../repository/find-root.ts';
import { openBlobs, type BlobStore } from './blobs.ts';
import { openManifests, type Manifests } from './manifests.ts';

export interface RepositoryStore {
  readonly name: string;
  readonly folder: string;
  readonly files: ManyFiles;
  readonly blobs: BlobStore;
  readonly trees: Manifests;
  close(): void;
}

/** Folder name of all stores below the state folder. */
export const storesFolder = 'store';

/** `base`: the folder of all private folders. The caller closes the result. @throws CollabError `input`, `file` */
export function openRepositoryStore(
  base: string,
  repository: Pick<Repository, 'commonDir'>,
): RepositoryStore {
  return openNamedStore(base, nameOf(repository));
}

/** Opens a store by the name that `RepositoryStore.name` had. */
export function openNamedStore(base: string, name: string): RepositoryStore {
  const folder = join(base, storesFolder, name);
  const now = new Date();
  inNewFolder(folder, () => setTimes(folder, { atime: now, mtime: now }));
  const files = openManyFiles();
  return {
    name,
    folder,
    files,
    blobs: openBlobs(join(folder, 'blobs'), files),
    trees: openManifests(folder),
    close: () => files.release(),
  };
}

/** All worktrees of a repository share a store. */
function nameOf({ commonDir }: Pick<Repository, 'commonDir'>): string {
  return sha256(realpathSync(commonDir)).slice(0, 16);
}
