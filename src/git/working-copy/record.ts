/** The store's record of a working copy, kept between two processes. */
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { readIfThere } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';

const committedSchema = z.object({
  /** With git, a commit of the branch, as git would store the files; without git, a commit of the store. */
  commit: z.string(),
  /** The folder's files byte for byte, in the store. */
  tree: z.string(),
});

export const copyRecordSchema = z.object({
  /** A null branch: the folder was not in a repository at the start of the run. */
  branch: z.string().nullable(),
  /** Describes the files left out, for the first lines of the run; null if there is nothing to report. */
  remark: z.string().nullable(),
  /** The first is the state at the start. */
  commits: z.array(committedSchema).min(1).readonly(),
  /** The tree of the folder on another machine, which made no commit of it yet; absent: that of the newest commit. */
  tree: z.string().optional(),
});

export type CommittedTree = Readonly<z.infer<typeof committedSchema>>;
export type CopyRecord = z.infer<typeof copyRecordSchema>;

/** Returns null if the copy was never finished. @throws CollabError `journal_corrupt` */
export function readCopyRecord(store: string): CopyRecord | null {
  const text = readIfThere(fileIn(store));
  if (text === null) return null;
  try {
    return copyRecordSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CollabError('journal_corrupt', `${fileIn(store)} is damaged`, {
      hint: 'Start a new run; this one cannot continue.',
      cause,
    });
  }
}

/** Writes the record completely or not at all, and syncs it to disk. */
export function writeCopyRecord(store: string, record: CopyRecord): void {
  writeAtomically(fileIn(store), JSON.stringify(record));
}

export function headOf(record: CopyRecord): CommittedTree {
  const head = record.commits.at(-1);
  if (head === undefined) throw new CollabError('internal', 'a working copy without its first state');
  return head;
}

function fileIn(store: string): string {
  return join(store, 'commits.json');
}
