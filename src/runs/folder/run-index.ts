/**
 * List entries of runs, so that a list need not read each run: how it ended, and its conversation. Derived: an end is
 * valid only while the run's files have the times and sizes that it was made from, a conversation never changes, and an
 * unreadable file is made again.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { journalEnds } from '../../engine/journal/first-and-last.ts';
import { journalFile } from '../../engine/journal/journal.ts';
import { readText } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { listedRunSchema, type ListedRun } from './listed-run.ts';
import { resultFile, type RunFolder } from './run-folder.ts';

const endSchema = z.object({
  /** Times and sizes of the files that the entry was made from. */
  stamp: z.string(),
  listed: listedRunSchema,
});
const entrySchema = z.object({
  /** The conversation; absent until a list needed it. */
  conversation: z.string().optional(),
  /** The end; absent for a run that has not ended. */
  end: endSchema.optional(),
});
type Entry = z.infer<typeof entrySchema>;
const indexSchema = z.object({
  schema: z.literal('collab.runs/v3'),
  runs: z.record(z.string(), entrySchema),
});

/** The file is beside the runs; no run has such a name. */
export function runIndexFile(home: string): string {
  return join(home, 'runs', '.index.json');
}

/** Lists in the order of `runs`. `describe` reads one run whose end is not in the index. */
export async function listWithIndex(
  home: string,
  runs: readonly RunFolder[],
  describe: (run: RunFolder) => Promise<ListedRun>,
): Promise<readonly ListedRun[]> {
  const known = readIndex(home);
  const next: Record<string, Entry> = {};
  const lines: ListedRun[] = [];
  let changed = false;
  for (const run of runs) {
    // Taken before the run is read: a write in between makes the entry stale, not wrong.
    const stamp = stampOf(run.path);
    const { conversation, end } = known[run.runId] ?? {};
    const place = conversation === undefined ? {} : { conversation };
    if (end !== undefined && stamp === end.stamp) {
      next[run.runId] = { ...place, end };
      lines.push({ ...end.listed, run: run.runId });
      continue;
    }
    const line = await describe(run);
    lines.push(line);
    changed = true;
    const hasEnded = line.state === 'ended' && stamp !== null;
    next[run.runId] = {
      ...place,
      ...(hasEnded ? { end: { stamp, listed: line } } : {}),
    };
  }
  if (changed || Object.keys(known).length !== Object.keys(next).length) writeIndex(home, next);
  return lines;
}

/** Reading this many runs is faster than writing the index of all runs. */
const notWorthWriting = 32;

/** Returns the conversations of `runs`, by run id; a run without a record has none yet. */
export function conversationsOf(home: string, runs: readonly RunFolder[]): ReadonlyMap<string, string> {
  const known = readIndex(home);
  const found = new Map<string, string>();
  const read: Record<string, Entry> = {};
  for (const { runId, path } of runs) {
    const indexed = known[runId]?.conversation;
    const conversation = indexed ?? journalEnds(path)?.first.conversation_id;
    if (conversation === undefined) continue;
    found.set(runId, conversation);
    if (indexed === undefined) read[runId] = { ...known[runId], conversation };
  }
  if (Object.keys(read).length > notWorthWriting) writeIndex(home, { ...known, ...read });
  return found;
}

/** Returns null for a run without a result: it has not ended. */
function stampOf(folder: string): string | null {
  const result = statSync(resultFile(folder), { throwIfNoEntry: false });
  if (result === undefined) return null;
  // A process that takes over the run adds its lock to the folder before it writes anything.
  const others = [folder, journalFile(folder), join(folder, 'input.json')].map((file) =>
    statSync(file, { throwIfNoEntry: false }),
  );
  return [result, ...others]
    .map((facts) => (facts === undefined ? '-' : `${facts.mtimeMs}:${facts.size}`))
    .join(' ');
}

function readIndex(home: string): Readonly<Record<string, Entry>> {
  try {
    return indexSchema.parse(JSON.parse(readText(runIndexFile(home)))).runs;
  } catch {
    // The file is absent, damaged or of another version: it is made again.
    return {};
  }
}

function writeIndex(home: string, runs: Readonly<Record<string, Entry>>): void {
  try {
    writeAtomically(runIndexFile(home), `${JSON.stringify({ schema: 'collab.runs/v3', runs })}\n`);
  } catch {
    // The list is complete without the file; on a full or read-only disk the next list is only slower.
  }
}
