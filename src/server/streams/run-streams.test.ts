import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createFrameReader } from '../../client/read-frames.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import { openEngine } from '../../runs/engine/open-engine.ts';
import { createManualClock, type ManualClock } from '../../system/manual-clock.test-helper.ts';
import { createJournalFraming, createStreamingFraming } from './framing.ts';
import type { FrameSource } from './event-stream-port.ts';
import { longRun } from '../long-run.test-helper.ts';
import { createRunStreams, type RunStreams } from './run-streams.ts';

let runFolder = '';
let clock: ManualClock;
let streams: RunStreams;
let framings = 0;
const faults: unknown[] = [];
const run = longRun(20);
const never = new AbortController().signal;

beforeEach(() => {
  runFolder = scratchFolder();
  clock = createManualClock();
  framings = 0;
  faults.length = 0;
  streams = createRunStreams({
    clock,
    engine: openEngine({ clock }),
    onFault: (error) => faults.push(error),
  });
});
afterEach(() => streams.close());

test('X002-12.2 readers that come before the run, in its midst and after it get the same frames', async () => {
  const early = framesOf(source());
  write(run.slice(0, 9));
  const amid = framesOf(source());
  write(run.slice(9, -1));
  await expect.poll(() => amid.seen.length).toBeGreaterThan(9);
  write(run.slice(-1));
  const whole = await early.all;
  expect(whole).toEqual(whole.map((_, index) => `run-1:${index + 1}`));
  expect(await amid.all).toEqual(whole);
  expect(await framesOf(source(), 7).all).toEqual(whole.slice(7));
});

test('a run is projected once for all its readers, and again after a while without readers', async () => {
  write(run);
  const readers = Array.from({ length: 50 }, (_, index) => framesOf(source(), index % 20));
  await Promise.all(readers.map(({ all }) => all));
  expect(framings).toBe(1);
  await clock.advance(29_000);
  await framesOf(source()).all;
  expect(framings).toBe(1);
  await clock.advance(60_000);
  await framesOf(source()).all;
  expect(framings).toBe(2);
});

test('the records of a run are separate frames: the bytes of the line, its number as id, no name', async () => {
  // Another process may have rendered them differently.
  const lines = run.map((event) => JSON.stringify(event).replace('{"v":1,', '{ "v": 1, '));
  appendFileSync(join(runFolder, 'journal.jsonl'), lines.map((line) => `${line}\n`).join(''));
  const reading = createRunStreams({
    clock,
    engine: openEngine({ clock }),
    onFault: (error) => faults.push(error),
  });
  const records = reading.source({
    runId: 'run-1',
    runFolder,
    kind: 'journal',
    createFraming: createJournalFraming,
  });
  const reader = createFrameReader();
  const frames = [];
  for await (const { bytes } of records.read(0, never)) frames.push(...reader.feed(bytes));
  expect(frames.map(({ data }) => data)).toEqual(lines);
  expect(frames.map(({ id }) => id)).toEqual(run.map(({ seq }) => String(seq)));
  expect(frames.every(({ event }) => event === 'message')).toBe(true);
  expect(records.endSeq()).toBe(run.length);
  await reading.close();
});

test('X002-12.4 whether a reader has had all is known when the journal says so', async () => {
  write(run.slice(0, 9));
  const there = source();
  expect(await there.hasAll(500, never)).toBe(false);
  expect(await there.hasAll(2, never)).toBe(false);
  write(run.slice(9));
  const { length } = await framesOf(there).all;
  expect(await there.hasAll(length - 1, never)).toBe(false);
  expect(await there.hasAll(length, never)).toBe(true);
  expect(await there.hasAll(length + 1, never)).toBe(true);
});

test('readers are disconnected if the journal cannot be read, and when the server stops', async () => {
  write(run.slice(0, 3));
  const readers = [framesOf(source()), framesOf(source())];
  await expect.poll(() => readers[0]?.seen.length).toBeGreaterThan(0);
  appendFileSync(join(runFolder, 'journal.jsonl'), 'no record\n');
  await Promise.all(readers.map(({ all }) => all));
  expect(faults).toMatchObject([{ code: 'journal_corrupt' }]);
  rmSync(join(runFolder, 'journal.jsonl'));
  const waiting = framesOf(source());
  await streams.close();
  expect(await waiting.all).toEqual([]);
  expect(readdirSync(runFolder)).toEqual([]);
});

function source(): FrameSource {
  return streams.source({
    runId: 'run-1',
    runFolder,
    kind: 'streaming',
    createFraming() {
      framings += 1;
      return createStreamingFraming({ runId: 'run-1', projection: {}, messages: () => null });
    },
  });
}

/** Writes like another process. */
function write(events: readonly CollabEvent[]): void {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  appendFileSync(join(runFolder, 'journal.jsonl'), lines.join(''));
}

function framesOf(
  from: FrameSource,
  after = 0,
): { readonly seen: string[]; readonly all: Promise<string[]> } {
  const seen: string[] = [];
  const reader = createFrameReader();
  const read = async (): Promise<string[]> => {
    for await (const { bytes } of from.read(after, new AbortController().signal)) {
      seen.push(...reader.feed(bytes).map(({ id }) => id ?? ''));
    }
    return seen;
  };
  return { seen, all: read() };
}
