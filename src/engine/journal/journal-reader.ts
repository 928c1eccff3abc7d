/**
 * Reads a journal without the lock: an unterminated last line is another process's write in progress and is left alone.
 */
import { collabEventSchema, eventVersion, type CollabEvent } from '../../events/collab-event.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { JournalLine } from './journal-line.ts';
import { readBytes as readFile } from '../../system/files/read.ts';

export interface JournalContent {
  readonly events: readonly CollabEvent[];
  /** Bytes up to and including the last newline; the rest is a torn line. */
  readonly wholeBytes: number;
}

/** @throws CollabError `journal_corrupt`, `journal_version`, or `run_not_found` when there is no such file */
export function readJournal(file: string): JournalContent {
  const bytes = readBytes(file);
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const events = parseLines(file, bytes.subarray(0, wholeBytes), 0).map(({ event }) => event);
  return { events, wholeBytes };
}

/** Parses the lines after the first `linesBefore` ones; `bytes` ends with a newline or is empty. */
export function parseLines(file: string, bytes: Buffer, linesBefore: number): readonly JournalLine[] {
  if (bytes.length === 0) return [];
  const lines = bytes.toString('utf8').slice(0, -1).split('\n');
  return lines.map((text, index) => ({ event: parseLine(file, text, linesBefore + index + 1), text }));
}

function readBytes(file: string): Buffer {
  try {
    return readFile(file);
  } catch (cause) {
    if (cause instanceof CollabError) throw cause;
    throw noJournal(file, cause);
  }
}

export function noJournal(file: string, cause?: unknown): CollabError {
  return new CollabError('run_not_found', `There is no journal at ${file}`, {
    hint: 'collab runs lists the runs of this folder.',
    details: { file },
    cause,
  });
}

/** The line number equals `seq`; every line has the format version, and the first one decides. */
function parseLine(file: string, line: string, lineNumber: number): CollabEvent {
  const value = parseJson(file, line, lineNumber);
  refuseOtherVersion(file, value, lineNumber);
  const parsed = collabEventSchema.safeParse(value);
  if (!parsed.success) throw corrupt(file, lineNumber, 'is not an event of this format', parsed.error);
  const event = parsed.data;
  if (event.seq !== lineNumber) throw corrupt(file, lineNumber, `has the number ${event.seq}`);
  if (lineNumber === 1 && event.type !== 'run.started') throw corrupt(file, 1, `is ${event.type}`);
  return event;
}

function parseJson(file: string, line: string, lineNumber: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw corrupt(file, lineNumber, 'is not JSON', cause);
  }
}

function refuseOtherVersion(file: string, value: unknown, lineNumber: number): void {
  if (lineNumber !== 1 || typeof value !== 'object' || value === null || !('v' in value)) return;
  if (value.v === eventVersion) return;
  throw new CollabError(
    'journal_version',
    `${file} has the journal format ${JSON.stringify(value.v)}; this version reads format ${eventVersion}`,
    { hint: 'Use the version of collab that wrote it.', details: { file, version: value.v } },
  );
}

function corrupt(file: string, line: number, what: string, cause?: unknown): CollabError {
  return new CollabError('journal_corrupt', `${file}:${line} ${what}`, {
    hint: 'The journal was changed or damaged; start the run again.',
    details: { file, line },
    cause,
  });
}
