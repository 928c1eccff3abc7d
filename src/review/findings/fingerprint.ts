import { createHash } from 'node:crypto';

/** What makes a finding the same one in two runs, or in two chunks of one run. */
export interface FindingKey {
  /** After renames. */
  readonly path: string | null;
  readonly quote: string | null;
  /** Which of the equal quotations of the file; 0 without a line. */
  readonly ordinal: number;
  readonly title: string;
}

/**
 * SHA-256 in hex. The line number is no part of it, so that a finding survives code that moves. Nor is the title, which agents
 * word anew each time; it only tells apart what has no quotation.
 */
export function identityOf(key: FindingKey): string {
  const quote = normaliseSpace(key.quote ?? '');
  return quote === ''
    ? digest([key.path, normaliseTitle(key.title)])
    : digest([key.path, quote, key.ordinal]);
}

/** The identity of a further finding on a quotation that another one has taken. */
export function identityBeside(key: FindingKey): string {
  return digest([identityOf(key), normaliseTitle(key.title)]);
}

/** Titles that differ only in case, white space, Markdown or punctuation are one. */
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
