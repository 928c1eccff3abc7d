/** Reads the first and the last record of a journal without the lines between them: enough for a list of runs. */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { collabEventSchema, type CollabEvent } from '../../events/collab-event.ts';
import { openIfThere } from '../../system/files/read.ts';
import { journalFile } from './journal.ts';
import { parseJson } from '../../text/parse-json.ts';

export interface RecordEnds {
  readonly first: CollabEvent;
  readonly last: CollabEvent;
}

const usualLineBytes = 64 * 1024;

/** Returns null if nothing is recorded yet, or if a record does not have this version. */
export function journalEnds(runFolder: string): RecordEnds | null {
  const descriptor = openIfThere(journalFile(runFolder));
  if (descriptor === null) return null;
  try {
    const { size } = fstatSync(descriptor);
    const first = parseRecord(firstLine(descriptor, size));
    const last = parseRecord(lastLine(descriptor, size));
    return first === null || last === null ? null : { first, last };
  } finally {
    closeSync(descriptor);
  }
}

function firstLine(descriptor: number, size: number, bytes = usualLineBytes): string | null {
  const head = read(descriptor, 0, Math.min(size, bytes));
  const end = head.indexOf(0x0a);
  if (end >= 0) return head.subarray(0, end).toString('utf8');
  return bytes >= size ? null : firstLine(descriptor, size, bytes * 8);
}

/** Returns the last complete line: text after the last newline is another process's write in progress. */
function lastLine(descriptor: number, size: number, bytes = usualLineBytes): string | null {
  const start = Math.max(0, size - bytes);
  const tail = read(descriptor, start, size - start);
  const end = tail.lastIndexOf(0x0a);
  const before = end <= 0 ? -1 : tail.lastIndexOf(0x0a, end - 1);
  if (end > 0 && (before >= 0 || start === 0)) return tail.subarray(before + 1, end).toString('utf8');
  return start === 0 ? null : lastLine(descriptor, size, bytes * 8);
}

function read(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
}

function parseRecord(line: string | null): CollabEvent | null {
  // A line that is not JSON is not a record; reading the whole journal reports it.
  return line === null ? null : (collabEventSchema.safeParse(parseJson(line)).data ?? null);
}
