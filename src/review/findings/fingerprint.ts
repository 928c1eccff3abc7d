import { createHash } from 'node:crypto';

/** The facts that identify a finding across runs, and across the chunks of one run. */
export interface FindingKey {
  /** The path after renames. */
  readonly path: string | null;
  readonly quote: string | null;
  /** The number of this quotation among equal ones in the file; 0 without a line. */
  readonly ordinal: number;
  readonly title: string;
}

/**
 * Returns a SHA-256 digest in hex. The line number is not part of it, so that a finding survives moved code. The title,
 * which agents reword each time, only distinguishes findings without a quotation.
 */
export function identityOf(key: FindingKey): string {
  const quote = normaliseSpace(key.quote ?? '');
  return quote === ''
    ? digest([key.path, normaliseTitle(key.title)])
    : digest([key.path, quote, key.ordinal]);
}

/** Returns the identity of a further finding on a quotation that already has one. */
export function identityBeside(key: FindingKey): string {
  return digest([identityOf(key), normaliseTitle(key.title)]);
}

/** Normalizes a title: case, white space, Markdown and punctuation do not count. */
export function normaliseTitle(title: string): string {
  return normaliseSpace(
    title
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' '),
  );
}

export function normaliseSpace(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
