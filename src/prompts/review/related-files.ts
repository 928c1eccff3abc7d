/** Unchanged files that belong to changed ones: their tests. */
import { z } from 'zod';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { ContextPart } from '../request.ts';
import { cutText } from './cut-text.ts';

export const relatedFileSchema = z.object({
  path: z.string(),
  /** The changed file that it tests. */
  of: z.string(),
  text: z.string(),
});
/** Masked. */
export type RelatedFile = Readonly<z.infer<typeof relatedFileSchema>>;

/** In bytes, of one file. */
const mostFileBytes = 12 * 1024;
/** In bytes, of all files in a request. */
const mostRequestBytes = 32 * 1024;

/** Returns those of a chunk's files, the shortest first, as far as there is room. */
export function relatedTo(
  files: readonly DiffFile[],
  related: readonly RelatedFile[],
): readonly ContextPart[] {
  const own = new Set(files.map(({ path }) => path));
  const parts: ContextPart[] = [];
  let room = mostRequestBytes;
  for (const { path, of, text } of related.toSorted((one, other) => one.text.length - other.text.length)) {
    const shown = cutText(text, mostFileBytes);
    if (!own.has(of) || Buffer.byteLength(shown) > room) continue;
    room -= Buffer.byteLength(shown);
    parts.push({
      title: `${path}, a test of ${of}; the change does not touch it`,
      text: shown,
      origin: 'foreign',
    });
  }
  return parts;
}
