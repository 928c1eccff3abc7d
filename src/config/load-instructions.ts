/** The standing instructions of a project: a file that is named, or `REVIEW.md` at the top of the repository. */
import { join, relative } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';
import type { FileSource } from './file-source.ts';

export interface InstructionsOptions {
  /** Absolute; what is named stands instead of `REVIEW.md`. */
  readonly named: string | null;
  /** The top of the repository. */
  readonly top: string;
  readonly source: FileSource;
}

export interface LoadedInstructions {
  /** As the first line of a run says it. */
  readonly name: string;
  readonly text: string;
}

export const instructionsFileName = 'REVIEW.md';
/** They are part of every request of a review. */
const mostBytes = 64 * 1024;

/** Null where nothing is named and there is none, or it says nothing. @throws CollabError `config` */
export async function loadInstructions(options: InstructionsOptions): Promise<LoadedInstructions | null> {
  const { named, top, source } = options;
  const path = named ?? join(top, instructionsFileName);
  const name = shortName(path, top);
  // What merely lies in the repository may be a stranger's: a link would send any file of this machine away.
  if (named === null && (await source.isLink(path))) {
    throw new CollabError('config', `${name} is a link, and so is not read as instructions`, {
      hint: 'name the file itself with --instructions',
    });
  }
  const text = await source.read(path, name, mostBytes);
  if (text === null && named !== null) {
    throw new CollabError('config', `the instructions ${name} do not exist`, {
      hint: 'name a text file with --instructions',
    });
  }
  return text === null || text.trim() === '' ? null : { name, text };
}

function shortName(path: string, top: string): string {
  const way = relative(top, path);
  return way.startsWith('..') ? path : way;
}
