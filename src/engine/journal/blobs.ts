/** Large values of a run: `blobs/<sha256>`, complete and synced before the journal line that names them. */
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { sha256 } from '../../text/digest.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { factsOf, readText } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';

/** In UTF-8 bytes of the value's JSON; a larger value is stored as a blob. */
export const blobThresholdBytes = 16 * 1024;

/** Returns the blob's name once the blob is durable. */
export function writeBlob(runFolder: string, text: string): string {
  const folder = join(runFolder, 'blobs');
  const name = sha256(text);
  const path = join(folder, name);
  if (factsOf(path) !== null) return name;
  makeFolder(folder);
  writeAtomically(path, text);
  return name;
}

/** @throws CollabError `journal_corrupt` when the blob is missing or does not match its name */
export function readBlob(runFolder: string, name: string): string {
  const path = join(runFolder, 'blobs', name);
  let text: string;
  try {
    text = readText(path);
  } catch (cause) {
    if (cause instanceof CollabError) throw cause;
    throw new CollabError('journal_corrupt', `A stored value is missing: ${path}`, {
      details: { file: path },
      cause,
    });
  }
  if (sha256(text) === name) return text;
  throw new CollabError('journal_corrupt', `A stored value does not match its name: ${path}`, {
    details: { file: path },
  });
}
