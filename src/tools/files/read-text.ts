import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Place } from './find-inside.ts';
import type { Refused } from './inside-path.ts';

/** Covers secrets; length and line ends stay. */
export type Mask = (text: string) => Promise<string>;

export type FileText = { readonly ok: true; readonly text: string } | Refused;

/** Larger files are data or generated; a whole file is read, because a secret shows only in its surroundings. */
export const fileLimitBytes = 2 * 1024 * 1024;

/** A text file whole, as it is on disk but for a byte order mark: the caller masks what it shows. */
export async function readText(place: Place): Promise<FileText> {
  const read = await readBytes(place);
  return read.ok ? decodeText(read.bytes, place.path) : read;
}

export type FileBytes = { readonly ok: true; readonly bytes: Uint8Array } | Refused;

export async function readBytes({ path, real, kind }: Place): Promise<FileBytes> {
  if (kind === 'folder') return { ok: false, why: `${path} is a folder; Glob lists its files.` };
  if (kind === 'other') return { ok: false, why: `${path} is no regular file.` };
  let handle: FileHandle;
  try {
    // Between the look and the opening a link or a pipe may have taken its place: neither is followed or waited for.
    handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return { ok: false, why: `${path} cannot be read (${code}).` };
  }
  try {
    return await readOpened(handle, path);
  } finally {
    await handle.close();
  }
}

async function readOpened(handle: FileHandle, path: string): Promise<FileBytes> {
  const found = await handle.stat();
  if (!found.isFile()) return { ok: false, why: `${path} is no regular file.` };
  if (found.size > fileLimitBytes) return tooLarge(path, found.size);
  const bytes = await handle.readFile();
  // It may have grown meanwhile.
  if (bytes.length > fileLimitBytes) return tooLarge(path, bytes.length);
  return { ok: true, bytes };
}

/** Bytes → text; what holds a NUL near its beginning is binary, as git sees it. */
export function decodeText(bytes: Uint8Array, path: string): FileText {
  if (bytes.subarray(0, 8000).includes(0)) return { ok: false, why: `${path} is a binary file.` };
  return { ok: true, text: new TextDecoder().decode(bytes) };
}

function tooLarge(path: string, sizeBytes: number): Refused {
  const megabytes = (sizeBytes / 1024 / 1024).toFixed(1);
  return { ok: false, why: `${path} has ${megabytes} MiB; files up to 2 MiB can be read.` };
}
