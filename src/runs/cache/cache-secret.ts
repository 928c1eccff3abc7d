/**
 * The secret that signs cached answers. It is kept outside every repository, so that no repository can supply answers
 * about its own changes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readText } from '../../system/files/read.ts';
import { writeNew } from '../../system/files/write.ts';
import { stateBase, type StateFolderOptions } from '../folder/state-folder.ts';

export const cacheSecretName = 'cache.key';
const secretBytes = 32;

/**
 * Reads `COLLAB_CACHE_KEY`, for machines that do not outlive a run; otherwise a file of the user, created at first use.
 * Returns null if there is no place for the file: then nothing is cached.
 */
export function openCacheSecret(options: StateFolderOptions): Uint8Array | null {
  const given = options.env['COLLAB_CACHE_KEY'] ?? '';
  if (given !== '') return createHash('sha256').update(given).digest();
  const base = stateBase(options);
  if (base === null) return null;
  const file = join(base, cacheSecretName);
  return readSecret(file) ?? makeSecret(file);
}

/** Two runs that start at the same time get the same secret. */
function makeSecret(file: string): Uint8Array | null {
  try {
    writeNew(file, randomBytes(secretBytes).toString('hex'));
  } catch {
    // Another process was first, or the disk rejected the file: reading it shows which.
  }
  return readSecret(file);
}

function readSecret(file: string): Uint8Array | null {
  try {
    const secret = Buffer.from(readText(file), 'hex');
    return secret.length === secretBytes ? secret : null;
  } catch {
    return null;
  }
}
