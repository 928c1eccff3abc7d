import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';

/**
 * Limit in characters. A longer line is data or generated; rules skip it, which also bounds the time of every pattern. Only
 * the secret scan reads it.
 */
export const longestLine = 1000;

export function isTooLong({ text }: DiffLine): boolean {
  return text.length > longestLine;
}

/** Counts the added lines that only the secret scan has read. */
export function countTooLong({ hunks }: DiffFile): number {
  return hunks.flatMap(({ lines }) => lines).filter((line) => line.kind === 'added' && isTooLong(line))
    .length;
}
