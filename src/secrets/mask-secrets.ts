import { findFurther } from './find-secrets.ts';
import { cover, type FoundSecret } from './text-range.ts';

export interface Masked {
  readonly text: string;
  /** Ranges in the given text, by position; they may overlap if two rules found the same secret. */
  readonly found: readonly FoundSecret[];
}

/**
 * Masks secrets with asterisks. Length and line ends stay, so that every position stays valid; masking a
 * masked text changes nothing.
 */
export function maskSecrets(text: string): Masked {
  const found: FoundSecret[] = [];
  let covered = text;
  for (let layer = 0; ; layer += 1) {
    const further = findFurther(covered, layer).map(({ start, end, rule }) => ({ start, end, rule }));
    if (further.length === 0) return { text: covered, found: found.toSorted(byPosition) };
    for (const secret of further) found.push(secret);
    covered = cover(covered, further);
  }
}

/** Returns the text with its secrets masked. */
export function masked(text: string): string {
  return maskSecrets(text).text;
}

function byPosition(one: FoundSecret, other: FoundSecret): number {
  return one.start - other.start || one.end - other.end;
}
