/**
 * What the cached answers are signed with. It lies outside of every repository, so that no repository can bring answers
 * about its own changes along.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeSynced } from '../../system/durable-file.ts';
import { stateBase, type StateFolderOptions } from '../folder/state-folder.ts';

export const cacheSecretName = 'cache.key';
const secretBytes = 32;

/**
 * `COLLAB_CACHE_KEY`, for machines that do not outlive a run; else a file of the user's own, made by the first who asks.
 * Null where there is no place for it: then nothing is cached.
 */
export function openCacheSecret(options: StateFolderOptions): Uint8Array | null {
  const given = options.env['COLLAB_CACHE_KEY'] ?? '';
  if (given !== '') return createHash('sha256').update(given).digest();
  const base = stateBase(options);
  if (base === null) return null;
  const file = join(base, cacheSecretName);
  return readSecret(file) ?? makeSecret(base, file);
}

/** Two runs that begin at once end up with the same one. */
function makeSecret(base: string, file: string): Uint8Array | null {
  const unfinished = join(base, `.${cacheSecretName}.${randomUUID()}`);
  try {
    writeSynced(unfinished, randomBytes(secretBytes).toString('hex'));
    linkSync(unfinished, file);
  } catch {
    // Somebody else was first, or the disk does not take it: reading tells.
  } finally {
    rmSync(unfinished, { force: true });
  }
  return readSecret(file);
}

function readSecret(file: string): Uint8Array | null {
  try {
    const secret = Buffer.from(readFileSync(file, 'utf8'), 'hex');
    return secret.length === secretBytes ? secret : null;
  } catch {
    return null;
  }
}
