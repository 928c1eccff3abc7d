/** Reads the current state of a path in the user's tree. Follows no link. */
import { createHash } from 'node:crypto';
import { lstat, readlink } from 'node:fs/promises';
import { hasCode } from '../../errors/has-code.ts';
import { readBytes } from '../../system/files/read.ts';
import type { CopyEntry } from '../working-copy/entries.ts';
import { bytesBelow, type BytePath } from '../working-copy/paths.ts';

export type Present =
  | { readonly kind: 'absent' | 'folder' | 'device' }
  | { readonly kind: 'file' | 'program' | 'symlink'; readonly blob: string }
  /** One of the parent folders is something else. */
  | { readonly kind: 'below_link' | 'below_file' | 'below_repository'; readonly at: BytePath };

export async function presentAt(root: string, path: BytePath): Promise<Present> {
  const above = await lookAbove(root, path);
  if (above !== null) return above;
  const target = bytesBelow(root, path);
  const facts = await lstat(target).catch(absentIsNull);
  if (facts === null) return { kind: 'absent' };
  if (facts.isDirectory()) return { kind: 'folder' };
  if (facts.isSymbolicLink()) {
    return { kind: 'symlink', blob: blobId(await readlink(target, { encoding: 'buffer' })) };
  }
  if (!facts.isFile()) return { kind: 'device' };
  const kind = (facts.mode & 0o100) === 0 ? 'file' : 'program';
  return { kind, blob: blobId(readBytes(target)) };
}

/**
 * Returns true if the path matches the entry. The executable bit counts only when `other`, the other side, has a
 * different one.
 */
export function isSame(present: Present, entry: CopyEntry | null, other: CopyEntry | null): boolean {
  // A file to be removed is also gone when a folder has replaced it.
  if (entry === null) return ['absent', 'folder', 'below_file'].includes(present.kind);
  if (!('blob' in present) || present.blob !== entry.blob) return false;
  if (present.kind === entry.kind) return true;
  const modeCounts = other !== null && other.kind !== entry.kind;
  return present.kind !== 'symlink' && entry.kind !== 'symlink' && !modeCounts;
}

async function lookAbove(root: string, path: BytePath): Promise<Present | null> {
  const parts = path.split('/').slice(0, -1);
  for (const [index] of parts.entries()) {
    const at = parts.slice(0, index + 1).join('/');
    const facts = await lstat(bytesBelow(root, at)).catch(absentIsNull);
    if (facts === null) return { kind: 'absent' };
    if (facts.isSymbolicLink()) return { kind: 'below_link', at };
    if (!facts.isDirectory()) return { kind: 'below_file', at };
    if ((await lstat(bytesBelow(root, `${at}/.git`)).catch(absentIsNull)) !== null) {
      return { kind: 'below_repository', at };
    }
  }
  return null;
}

function absentIsNull(error: unknown): null {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
  throw error;
}

/** Returns the id that git gives to this content. */
function blobId(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
