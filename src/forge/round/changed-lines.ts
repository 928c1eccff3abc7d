/** Recognizes the changed lines of the last round, wherever a rebase or a rename has moved them. */
import { createHash } from 'node:crypto';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';

const digestBytes = 3;
/** 20,000 characters of a comment. */
const mostLines = 5000;

/** Returns null for a change with too many lines to keep. */
export function digestChangedLines(files: readonly DiffFile[]): string | null {
  const digests = new Set<string>();
  for (const { lines } of files.flatMap(({ hunks }) => hunks)) {
    for (const line of lines) if (line.kind !== 'context') digests.add(lineDigest(line));
    if (digests.size > mostLines) return null;
  }
  return Buffer.from([...digests].toSorted().join(''), 'hex').toString('base64');
}

/** Returns true if a line was in the change whose digests are `known`. */
export function readChangedLines(known: string): (line: DiffLine) => boolean {
  const bytes = Buffer.from(known, 'base64').toString('hex');
  const digests = new Set(bytes.match(/.{6}/g) ?? []);
  return (line) => digests.has(lineDigest(line));
}

/** White space is left out: a reindented line says the same. */
function lineDigest({ kind, text }: DiffLine): string {
  const words = `${kind === 'removed' ? '-' : '+'}${text.replaceAll(/\s+/g, '')}`;
  return createHash('sha256')
    .update(words)
    .digest('hex')
    .slice(0, 2 * digestBytes);
}
