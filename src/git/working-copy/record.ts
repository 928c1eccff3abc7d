/** What the store knows of a working copy between two processes. */
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';

const committedSchema = z.object({
  /** With git a commit of the branch, as git would store the files; without, one of the store. */
  commit: z.string(),
  /** The folder's files byte for byte, in the store. */
  tree: z.string(),
});

const copyRecordSchema = z.object({
  /** Null: the folder was in no repository when the run began. */
  branch: z.string().nullable(),
  /** What was left out, for the first line of the run; null for nothing worth saying. */
  remark: z.string().nullable(),
  /** The first is the state at the start. */
  commits: z.array(committedSchema).min(1),
});

export type Committed = Readonly<z.infer<typeof committedSchema>>;
export interface CopyRecord {
  readonly branch: string | null;
  readonly remark: string | null;
  readonly commits: readonly Committed[];
}

/** Null where the copy was never finished. @throws CollabError `journal_corrupt` */
export async function readCopyRecord(store: string): Promise<CopyRecord | null> {
  const text = await readFile(fileIn(store), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return copyRecordSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CollabError('journal_corrupt', `${fileIn(store)} is not what was written`, {
      hint: 'Start a new run; this one cannot go on.',
      cause,
    });
  }
}

/** Whole or not at all, and on the disk. */
export async function writeCopyRecord(store: string, record: CopyRecord): Promise<void> {
  const unfinished = `${fileIn(store)}.unfinished`;
  await rm(unfinished, { force: true });
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(record));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, fileIn(store));
}

export function headOf(record: CopyRecord): Committed {
  const head = record.commits.at(-1);
  if (head === undefined) throw new CollabError('internal', 'a working copy without its first state');
  return head;
}

function fileIn(store: string): string {
  return join(store, 'commits.json');
}
