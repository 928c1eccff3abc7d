import { fstatSync } from 'node:fs';
import { CollabError } from '../../errors/collab-error.ts';
import { systemCodeOf } from '../../system/files/fault.ts';
import { openToRead, readUpTo } from '../../system/files/read.ts';
import type { InsidePlace } from './find-inside.ts';
import type { Refused } from './inside-path.ts';

/** Masks secrets; length and line endings stay. */
export type Mask = (text: string) => string;

export type FileText = { readonly ok: true; readonly text: string } | Refused;

/** Larger files are data or generated. Files are read completely, because a secret is recognized only in its context. */
export const fileLimitBytes = 2 * 1024 * 1024;

/** Reads a whole text file, as it is on disk except for a byte order mark: the caller masks the output. */
export function readInsideText(place: InsidePlace): FileText {
  const read = readInsideBytes(place);
  return read.ok ? decodeText(read.bytes, place.path) : read;
}

export type FileBytes = { readonly ok: true; readonly bytes: Uint8Array } | Refused;

export function readInsideBytes({ path, real, kind }: InsidePlace): FileBytes {
  if (kind === 'folder') return { ok: false, why: `${path} is a folder; Glob lists its files.` };
  if (kind === 'other') return { ok: false, why: `${path} is not a regular file.` };
  try {
    // A link or a pipe may have replaced the file since the check: it is neither followed nor waited for.
    const descriptor = openToRead(real);
    const { size } = fstatSync(descriptor);
    const bytes = readUpTo(descriptor, real, fileLimitBytes);
    return bytes === null ? tooLarge(path, size) : { ok: true, bytes };
  } catch (error) {
    if (error instanceof CollabError && error.code === 'input') {
      return { ok: false, why: `${path} is not a regular file.` };
    }
    return { ok: false, why: `${path} cannot be read (${systemCodeOf(error) ?? 'unknown'}).` };
  }
}

/** Decodes bytes as text; a NUL near the beginning makes a file binary, as in git. */
export function decodeText(bytes: Uint8Array, path: string): FileText {
  if (bytes.subarray(0, 8000).includes(0)) return { ok: false, why: `${path} is a binary file.` };
  return { ok: true, text: new TextDecoder().decode(bytes) };
}

function tooLarge(path: string, sizeBytes: number): Refused {
  const megabytes = (sizeBytes / 1024 / 1024).toFixed(1);
  return { ok: false, why: `${path} has ${megabytes} MiB; files up to 2 MiB can be read.` };
}
