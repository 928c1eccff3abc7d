import { parseUnifiedDiff, type DiffFile } from '../../../src/client/review.ts';

let last: { readonly diff: string; readonly files: readonly DiffFile[] } | null = null;

/** Parses a change. Several parts of the page ask for the same one, which is parsed once. */
export function filesOfChange(diff: string | null): readonly DiffFile[] {
  if (diff === null) return [];
  if (last?.diff !== diff) last = { diff, files: parseUnifiedDiff(diff).files };
  return last.files;
}
