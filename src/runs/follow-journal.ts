/** Reads a journal that somebody else is writing. */
import { open, type FileHandle } from 'node:fs/promises';
import type { CollabEvent } from '../events/collab-event.ts';
import type { Clock } from '../process/clock.ts';
import { journalFile } from './journal.ts';
import { parseLines } from './journal-reader.ts';

export interface FollowOptions {
  readonly runFolder: string;
  readonly clock: Clock;
  /** The seq after which to begin; 0 gives the whole journal. */
  readonly after?: number;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

/** The deltas of a run are coalesced over the same time. */
const pollMs = 50;

/** Yields each record once, in order, as it is written; ends after `run.ended` or when the signal says so. */
export async function* followJournal(options: FollowOptions): AsyncGenerator<CollabEvent> {
  const { runFolder, after = 0, signal } = options;
  const file = journalFile(runFolder);
  let offset = 0;
  let lines = 0;
  while (!signal.aborted) {
    const bytes = await readWholeLines(file, offset);
    const events = parseLines(file, bytes, lines);
    offset += bytes.length;
    lines += events.length;
    for (const event of events) {
      if (event.seq > after) yield event;
      if (event.type === 'run.ended') return;
    }
    if (events.length === 0) await pause(options);
  }
}

async function readWholeLines(file: string, offset: number): Promise<Buffer> {
  const handle = await openIfThere(file);
  if (handle === null) return Buffer.alloc(0);
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(Math.max(0, size - offset)),
      position: offset,
    });
    return buffer.subarray(0, buffer.lastIndexOf(0x0a, bytesRead - 1) + 1);
  } finally {
    await handle.close();
  }
}

async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

async function pause({ clock, signal }: FollowOptions): Promise<void> {
  try {
    await clock.sleep(pollMs, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
