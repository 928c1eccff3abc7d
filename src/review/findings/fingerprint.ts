import { createHash } from 'node:crypto';
import type { Finding } from '../../events/collab-event.ts';

/** The facts that identify a finding across runs, and across the chunks of one run. */
export interface FindingKey extends Pick<Finding, 'path' | 'anchor' | 'source' | 'claim' | 'title'> {}

/**
 * Returns a SHA-256 digest in hex: of the claim at the anchor, so that a finding survives moved code and other lengths of
 * the quotation. The title, which agents reword each time, only distinguishes findings without a quotation.
 */
export function identityOf({ path, anchor, source, claim, title }: FindingKey): string {
  const claims = claim === undefined ? [] : [claim];
  if (anchor === undefined) return digest([2, path, normaliseTitle(title), ...claims]);
  const { line, symbol, ordinal } = anchor;
  return digest([2, path, line, symbol, ordinal, source ?? null, ...claims]);
}

/** Returns the identity that the finding would have without a class, as in suppressions of earlier versions. */
export function unclassedIdentityOf({ claim: _claim, ...key }: FindingKey): string {
  return identityOf(key);
}

/** Returns an identity for each finding: the first of several with the same one keeps it, the others include their title. */
export function distinctIdentities<Key extends Pick<Finding, 'title'>>(
  findings: readonly Key[],
  identityIn: (finding: Key) => string,
): readonly string[] {
  const taken = new Set<string>();
  return findings.map((finding) => {
    let identity = identityIn(finding);
    while (taken.has(identity)) identity = identityBeside(identity, finding.title);
    taken.add(identity);
    return identity;
  });
}

/** Returns the identity of a finding beside another one of the same identity. */
export function identityBeside(identity: string, title: string): string {
  return digest([identity, normaliseTitle(title)]);
}

export interface FirstKey extends Pick<Finding, 'path' | 'quote' | 'title'> {
  /** The number of this quotation among equal ones in the file; 0 without a line. */
  readonly ordinal: number;
}

/** Returns the identity that version 0.1.0 computed; suppression files and results of that time name it. */
export function firstIdentityOf({ path, quote, ordinal, title }: FirstKey): string {
  const words = normaliseSpace(quote ?? '');
  return words === '' ? digest([path, normaliseTitle(title)]) : digest([path, words, ordinal]);
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
