/**
 * The secret that signs cached answers. It is kept outside every repository, so that no repository can supply answers
 * about its own changes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import { readText } from '../../system/files/read.ts';
import { remove, writeNew } from '../../system/files/write.ts';
import { renderCount } from '../../text/quantities.ts';
import { stateBase, type StateBaseOptions } from '../../system/state-base.ts';

export const cacheSecretName = 'cache.key';
const secretBytes = 32;
/** A shorter word could be found by trying, with one signed entry of a shared CI cache. */
const leastCharacters = 16;
const variable = 'COLLAB_CACHE_KEY';

/** @throws CollabError `usage` if `COLLAB_CACHE_KEY` is set to a word that is too short to protect anything */
export function checkCacheKey(env: StateBaseOptions['env']): void {
  const { length } = env[variable] ?? '';
  if (length === 0 || length >= leastCharacters) return;
  throw new CollabError(
    'usage',
    `${variable} has ${renderCount(length, 'character')}, and needs at least ${leastCharacters}`,
    { hint: 'Set it to a long random word, such as the output of openssl rand -hex 32, or use --no-cache.' },
  );
}

/**
 * Reads `COLLAB_CACHE_KEY`, for machines that do not outlive a run; otherwise a file of the user, created at first use.
 * Returns null if there is no place for the file: then nothing is cached.
 */
export function openCacheSecret(options: StateBaseOptions): Uint8Array | null {
  const given = options.env[variable] ?? '';
  if (given !== '') return createHash('sha256').update(given).digest();
  const base = stateBase(options);
  if (base === null) return null;
  const file = join(base, cacheSecretName);
  const kept = readSecret(file);
  return kept === null || kept === 'damaged' ? makeSecret(file, kept) : kept;
}

/** Two runs that start at the same time get the same secret. A damaged file is replaced: nothing is signed with a part of one. */
function makeSecret(file: string, kept: 'damaged' | null): Uint8Array | null {
  try {
    if (kept === 'damaged') remove(file);
    writeNew(file, randomBytes(secretBytes).toString('hex'));
  } catch {
    // Another process was first, or the disk rejected the file: reading it shows which.
  }
  const made = readSecret(file);
  return made === 'damaged' ? null : made;
}

/** Returns null if the file cannot be read. */
function readSecret(file: string): Uint8Array | 'damaged' | null {
  try {
    const secret = Buffer.from(readText(file), 'hex');
    return secret.length === secretBytes ? secret : 'damaged';
  } catch {
    return null;
  }
}
