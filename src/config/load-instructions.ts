/** Loads the standing instructions of a project: a named file, or `REVIEW.md` at the top of the repository. */
import { join } from 'node:path';
import { CollabError } from '../errors/collab-error.ts';
import type { FileSource } from './file-source.ts';
import { pathWithin } from '../system/is-inside.ts';

export interface InstructionsOptions {
  /** Absolute path of the file that replaces `REVIEW.md`. */
  readonly named: string | null;
  /** The top folder of the repository. */
  readonly top: string;
  readonly source: FileSource;
}

export interface LoadedInstructions {
  /** The file name that the first lines of a run print. */
  readonly name: string;
  readonly text: string;
}

export const instructionsFileName = 'REVIEW.md';
/** Every request of a review contains them. */
const mostBytes = 64 * 1024;

/** Returns null if no file is named and none exists, or if it is empty. @throws CollabError `config` */
export async function loadInstructions(options: InstructionsOptions): Promise<LoadedInstructions | null> {
  const { named, top, source } = options;
  const path = named ?? join(top, instructionsFileName);
  const name = pathWithin(path, top);
  // An unnamed file may be a stranger's: a link could send any file of this machine to the model.
  if (named === null && (await source.isLink(path))) {
    throw new CollabError('config', `${name} is a link; collab does not read it as instructions`, {
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
