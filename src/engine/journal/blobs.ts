/** Large values of a run: `blobs/<sha256>`, whole and synced before the journal line that names them. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { sha256 } from '../../text/digest.ts';
import { syncFolder, writeSynced } from '../../system/durable-file.ts';

/** In UTF-8 bytes of the value's JSON; above it the value is a blob. */
export const blobThresholdBytes = 16 * 1024;

/** Returns the blob's name; durable when it returns. */
export function writeBlob(runFolder: string, text: string): string {
  const folder = join(runFolder, 'blobs');
  const name = sha256(text);
  const path = join(folder, name);
  if (existsSync(path)) return name;
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) syncFolder(runFolder);
  const unfinished = join(folder, `.${randomUUID()}`);
  writeSynced(unfinished, text);
  renameSync(unfinished, path);
  syncFolder(folder);
  return name;
}

/** @throws CollabError `journal_corrupt` where the blob is absent or is not what its name says */
export function readBlob(runFolder: string, name: string): string {
  const path = join(runFolder, 'blobs', name);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
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
