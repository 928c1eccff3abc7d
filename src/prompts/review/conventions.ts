/** The repository's own rules for those who change it, as they were before the change. */
import { posix } from 'node:path';
import { z } from 'zod';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { cutText } from './cut-text.ts';

/** In the order in which they share the room of a request; `REVIEW.md` is read as instructions. */
export const conventionNames: readonly string[] = ['AGENTS.md', 'CLAUDE.md', 'CONTRIBUTING.md'];

export const conventionSchema = z.object({ path: z.string(), text: z.string() });
export type Convention = Readonly<z.infer<typeof conventionSchema>>;

export interface ReadConventions {
  readonly kept: readonly Convention[];
  /** The others, each with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** In bytes. A larger file is no text to send with each request, not even in part. */
const mostFileBytes = 64 * 1024;
/** In bytes, of one file in a request. */
const mostShownBytes = 8 * 1024;
/** In bytes, of all files in a request. */
const mostRequestBytes = 16 * 1024;
/** Less of a file says nothing. */
const leastShownBytes = 256;

/** Chooses among the files that were found; null is a link or no text. */
export function keepConventions(
  found: readonly { readonly path: string; readonly text: string | null }[],
): ReadConventions {
  const kept = new Map<string, Convention>();
  const left: { readonly path: string; readonly why: string }[] = [];
  for (const { path, text } of found) {
    const key = text?.trim() ?? '';
    const same = kept.get(key);
    if (text === null) left.push({ path, why: 'a link or no text' });
    else if (key === '') left.push({ path, why: 'empty' });
    else if (same !== undefined) left.push({ path, why: `the same as ${same.path}` });
    else if (Buffer.byteLength(text) > mostFileBytes)
      left.push({ path, why: `larger than ${mostFileBytes / 1024} KiB` });
    else kept.set(key, { path, text });
  }
  return { kept: [...kept.values()], left };
}

/**
 * Selects those of a chunk: of the folders of its files and above, the outer ones first. A file that does not fit is cut at the
 * end of a line, and says so.
 */
export function conventionsFor(
  files: readonly DiffFile[],
  conventions: readonly Convention[],
): readonly Convention[] {
  const shown: Convention[] = [];
  let room = mostRequestBytes;
  for (const { path, text } of conventions) {
    const folder = posix.dirname(path);
    if (folder !== '.' && !files.some((file) => file.path.startsWith(`${folder}/`))) continue;
    if (room < leastShownBytes) break;
    const part = cutText(text.trimEnd(), Math.min(room, mostShownBytes));
    shown.push({ path, text: part });
    room -= Buffer.byteLength(part);
  }
  return shown;
}
