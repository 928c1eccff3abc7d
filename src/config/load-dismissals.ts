/** Loads the history of dismissals, `.collab/history.jsonl` at the top of the repository, for the request of a review. */
import { join } from 'node:path';
import { readDismissals, type ReadDismissals } from '../review/dismissals/dismissal.ts';
import { CollabError } from '../errors/collab-error.ts';
import type { FileSource } from './file-source.ts';

export const historyFile = '.collab/history.jsonl';
export const mostHistoryBytes = 1024 * 1024;

export interface DismissalsOptions {
  /** The top folder of the repository. */
  readonly top: string;
  readonly source: FileSource;
}

/** Returns null if there is none. @throws CollabError `config` for a link or a file that is too large */
export async function loadDismissals({ top, source }: DismissalsOptions): Promise<ReadDismissals | null> {
  const path = join(top, historyFile);
  if ((await source.isLink(join(top, '.collab'))) || (await source.isLink(path)))
    throw new CollabError('config', `${historyFile} is reached through a link`);
  const text = await source.read(path, historyFile, mostHistoryBytes);
  return text === null ? null : readDismissals(text);
}
