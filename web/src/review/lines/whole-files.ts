/** The whole texts of changed files, if the review kept them: for the lines around its hunks. */
import { createContext } from 'react';
import type { RunClient } from '../../../../src/client/run-client.ts';
import type { DiffFile } from '../../../../src/client/review.ts';
import { filesOfChange } from '../files-of-change.ts';
import { linesOfFile } from './gap-lines.ts';

/** Resolves with the lines of a file after the change. Rejects with the server's refusal. */
export type LoadLines = (path: string) => Promise<readonly string[]>;

/** The way to load lines; null if the server has no whole texts. */
export const WholeFiles = createContext<LoadLines | null>(null);

export interface ChangeOfRun {
  readonly conversation: string;
  readonly run: string;
  readonly diff: string | null;
}

/** Asks whether the review kept its files: for the first one that has more lines. Resolves with null if it did not. */
export async function findWholeFiles(
  client: Pick<RunClient, 'file' | 'hasFile'>,
  { conversation, run, diff }: ChangeOfRun,
): Promise<LoadLines | null> {
  const first = filesOfChange(diff).find(hasMoreLines);
  if (first === undefined) return null;
  // Without an answer there are no buttons; the page's other requests report that the server is away.
  const isKept = await client.hasFile(conversation, run, first.path).catch(() => false);
  return isKept ? async (path) => linesOfFile(await client.file(conversation, run, path)) : null;
}

/** An added file is shown whole, and a deleted one has no text after the change. */
export function hasMoreLines({ change, binary, hunks }: DiffFile): boolean {
  return change !== 'added' && change !== 'deleted' && !binary && hunks.length > 0;
}
