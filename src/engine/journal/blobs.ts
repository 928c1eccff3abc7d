/** Large values of a run: `blobs/<sha256>.gz`, complete and synced before the journal line that names them. */
import { constants } from 'node:buffer';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CollabError } from '../../errors/collab-error.ts';
import { sha256 } from '../../text/digest.ts';
import { makeFolder } from '../../system/files/in-folder.ts';
import { factsOf, readBytes, readText } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';

/** In UTF-8 bytes of the value's JSON; a larger value is stored as a blob. */
export const blobThresholdBytes = 16 * 1024;

/** The least effort: a prompt becomes a third of its size, in 15 ns a byte. */
const level = 1;

/** Returns the blob's name once the blob is durable. */
export function writeBlob(runFolder: string, text: string): string {
  const name = sha256(text);
  const path = packedFile(runFolder, name);
  if (factsOf(path) !== null) return name;
  makeFolder(join(runFolder, 'blobs'));
  writeAtomically(path, gzipSync(text, { level }));
  return name;
}

export function hasBlob(runFolder: string, name: string): boolean {
  return existsSync(fileOf(runFolder, name));
}

/** @throws CollabError `journal_corrupt` when the blob is missing or does not match its name */
export function readBlob(runFolder: string, name: string): string {
  const path = fileOf(runFolder, name);
  const corrupt = (what: string, cause?: unknown) =>
    new CollabError('journal_corrupt', `A stored value ${what}: ${path}`, { details: { file: path }, cause });
  let text: string;
  try {
    text = path.endsWith('.gz') ? unzipped(readBytes(path)) : readText(path);
  } catch (cause) {
    if (cause instanceof CollabError) throw cause;
    throw corrupt(existsSync(path) ? 'cannot be unpacked' : 'is missing', cause);
  }
  if (sha256(text) === name) return text;
  throw corrupt('does not match its name');
}

/** Up to version 0.1.0, blobs were not packed. */
function fileOf(runFolder: string, name: string): string {
  const file = join(runFolder, 'blobs', name);
  return existsSync(file) ? file : packedFile(runFolder, name);
}

function packedFile(runFolder: string, name: string): string {
  return join(runFolder, 'blobs', `${name}.gz`);
}

function unzipped(bytes: Buffer): string {
  return gunzipSync(bytes, { maxOutputLength: constants.MAX_STRING_LENGTH }).toString('utf8');
}
