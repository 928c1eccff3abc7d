/**
 * List entries for runs that have ended, so that a list need not read each run. Derived: an entry is valid only while
 * the run's files have the times and sizes that it was made from, and an unreadable file is made again. The index never
 * contains a run that has not ended.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { journalFile } from '../../engine/journal/journal.ts';
import { readText } from '../../system/files/read.ts';
import { writeAtomically } from '../../system/files/write.ts';
import { resultFile, type RunFolder } from './run-folder.ts';

export interface ListedRun {
  readonly run: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly subject: string | null;
}

const entrySchema = z.object({
  /** Times and sizes of the files that the entry was made from. */
  stamp: z.string(),
  outcome: z.string().nullable(),
  subject: z.string().nullable(),
});
type Entry = z.infer<typeof entrySchema>;
const indexSchema = z.object({
  schema: z.literal('collab.runs/v1'),
  runs: z.record(z.string(), entrySchema),
});

/** The file is beside the runs; no run has such a name. */
export function runIndexFile(home: string): string {
  return join(home, 'runs', '.index.json');
}

/** Lists in the order of `runs`. `describe` reads one run that is not in the index. */
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
    const entry = known[run.runId];
    if (stamp !== null && entry?.stamp === stamp) {
      next[run.runId] = entry;
      lines.push({ run: run.runId, state: 'ended', outcome: entry.outcome, subject: entry.subject });
      continue;
    }
    const line = await describe(run);
    lines.push(line);
    changed = true;
    if (line.state === 'ended' && stamp !== null) {
      next[run.runId] = { stamp, outcome: line.outcome, subject: line.subject };
    }
  }
  if (changed || Object.keys(known).length !== Object.keys(next).length) writeIndex(home, next);
  return lines;
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
    writeAtomically(runIndexFile(home), `${JSON.stringify({ schema: 'collab.runs/v1', runs })}\n`);
  } catch {
    // The list is complete without the file; on a full or read-only disk the next list is only slower.
  }
}
