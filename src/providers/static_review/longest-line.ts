import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';

/**
 * In characters. A longer line is data or was written by a program; rules leave it alone, which also bounds the time of
 * every pattern. The secret scan looks at it all the same.
 */
export const longestLine = 1000;

export function isTooLong({ text }: DiffLine): boolean {
  return text.length > longestLine;
}

/** Added lines that no rule but the secret scan has looked at. */
export function countTooLong({ hunks }: DiffFile): number {
  return hunks.flatMap(({ lines }) => lines).filter((line) => line.kind === 'added' && isTooLong(line))
    .length;
}
