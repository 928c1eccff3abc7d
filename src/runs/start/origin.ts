/** The sources of a run's configuration and standing instructions: the disk, a commit, the old side of the change. */
import { resolve } from 'node:path';
import { filesOnDisk, noFiles, tooLarge, type FileSource } from '../../config/file-source.ts';
import { leavesFolder } from '../../config/folder-bounds.ts';
import { topFolder } from '../../config/load-config.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { ChangeRequest } from '../../git/change/change-input.ts';
import { isGitRequest } from '../../git/change/compare-states.ts';
import { openCommitFiles, type CommitFiles, type WantedCommit } from '../../git/change/commit-files.ts';
import { isContinuousIntegration } from '../agents/advisor-question.ts';
import type { StartPlace } from './start-place.ts';

export type ReadPlace = Pick<StartPlace, 'cwd' | 'env' | 'signal' | 'clock' | 'view'>;

export interface Origin {
  readonly source: FileSource;
  /** The top folder of the repository. */
  readonly top: string;
  /** The commit or the side of the diff that the files are of; null for the files on the disk, and if no file counts. */
  readonly title: string | null;
  readonly close: () => Promise<void>;
}

/** A value and the files that it was read from. */
export interface ReadFrom<Found> {
  readonly taken: Found;
  readonly from: Pick<Origin, 'source' | 'title'>;
}

export const onDisk = { source: filesOnDisk, title: null };

export interface OriginOptions {
  /** Names the commit. */
  readonly configFrom: string | undefined;
  /** The change under review; null if the run reviews no given change. */
  readonly change: ChangeRequest | null;
}

/**
 * With CI set, the working tree belongs to an unreviewed change, so the base of the change is used. The caller closes the result.
 * @throws CollabError `range`, `input`
 */
export async function openOrigin(place: ReadPlace, { configFrom, change }: OriginOptions): Promise<Origin> {
  if (configFrom !== undefined) return openCommit(place, { kind: 'ref', ref: configFrom });
  if (!isContinuousIntegration(place.env)) return originOf(place, onDisk);
  return change === null ? originOf(place, none) : openCommit(place, { kind: 'base_of', change });
}

/** The files before the change. The caller closes the result. @throws CollabError `range`, `input` */
export async function openOldSide(place: ReadPlace, change: ChangeRequest): Promise<Origin> {
  if (isGitRequest(change)) return openCommit(place, { kind: 'base_of', change });
  const [{ filesBeforeDiff }, { readDiffText }] = await Promise.all([
    import('./before-diff.ts'),
    import('../../git/change/read-diff-text.ts'),
  ]);
  const source = filesBeforeDiff(await readDiffText(change, place.cwd), topFolder(resolve(place.cwd)));
  return originOf(place, { source, title: 'the old side of the diff' });
}

/** A file inside the repository could be the change's; only the caller can write one outside. */
export function isOfChange(path: string, { title, top }: Origin): boolean {
  return title !== null && !leavesFolder(path, top);
}

export function ofTitle({ title }: Pick<Origin, 'title'>): string {
  return title === null ? '' : ` of ${title}`;
}

const none = { source: noFiles, title: null };

function originOf({ cwd }: ReadPlace, files: Pick<Origin, 'source' | 'title'>): Origin {
  return { ...files, top: topFolder(resolve(cwd)), close: () => Promise.resolve() };
}

async function openCommit(place: ReadPlace, wanted: WantedCommit): Promise<Origin> {
  const { cwd, env, signal, view } = place;
  const commit = await openCommitFiles(wanted, { cwd, env, signal, view });
  if (commit === null) return originOf(place, none);
  return { ...originOf(place, { source: filesIn(commit), title: commit.title }), close: commit.close };
}

function filesIn(commit: CommitFiles): FileSource {
  return {
    async read(path, name, mostBytes) {
      const entry = await commit.find(path);
      if (entry === null) return null;
      const inCommit = `${name} of ${commit.title}`;
      if (entry.kind !== 'file') throw new CollabError('config', `${inCommit} is not a file`);
      if ((entry.sizeBytes ?? 0) > mostBytes) throw tooLarge(inCommit, mostBytes);
      return (await commit.read(entry)).toString('utf8');
    },
    list: (folder) => commit.list(folder),
    isLink: async (path) => (await commit.find(path))?.kind === 'symlink',
  };
}
