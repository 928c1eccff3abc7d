import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { createFrameLog, type FrameLog } from './frame-log.ts';

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
});

test('X002-12.2 a reader gets what follows its place, wherever that lies: in memory, on the disk, in the middle of a batch', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async (batches, place) => {
      const log = createFrameLog({ folder, keptBytes: 200, blockBytes: 60 });
      const total = fill(log, batches);
      log.end();
      const after = place % (total + 1);
      expect(await seqsOf(log, after)).toEqual(range(after + 1, total));
      await log.close();
    }),
  );
});

test('early, current and late readers all get each frame once and in order', async () => {
  const log = createFrameLog({ folder, keptBytes: 200, blockBytes: 60 });
  const early = seqsOf(log, 0);
  fill(log, [1, 1, 1]);
  const amid = seqsOf(log, 2);
  for (let seq = 4; seq <= 90; seq += 1) {
    append(log, seq, seq);
    if (seq % 20 === 0) await nextTick();
  }
  const late = seqsOf(log, 0);
  log.end();
  expect(await early).toEqual(range(1, 90));
  expect(await amid).toEqual(range(3, 90));
  expect(await late).toEqual(range(1, 90));
  await log.close();
});

test('readers at the same position get the same bytes', async () => {
  const log = createFrameLog({ folder });
  const [one, other] = [log.read(0, never), log.read(0, never)];
  append(log, 1, 3);
  const [first, second] = [await one.next(), await other.next()];
  expect(first.value?.bytes).toBe(second.value?.bytes);
});

test('a position ahead of the last frame is waited for', async () => {
  const log = createFrameLog({ folder });
  append(log, 1, 2);
  const reading = seqsOf(log, 3);
  append(log, 3, 5);
  log.end();
  expect(await reading).toEqual([4, 5]);
});

test('a reader ends when its signal fires, and all end when the log is closed', async () => {
  const log = createFrameLog({ folder });
  const leaving = new AbortController();
  const [one, other] = [seqsOf(log, 0, leaving.signal), seqsOf(log, 0)];
  leaving.abort();
  expect(await one).toEqual([]);
  await log.close();
  expect(await other).toEqual([]);
});

test('frames on the disk have no file name, and short runs have none', async () => {
  const log = createFrameLog({ folder, keptBytes: 200, blockBytes: 60 });
  fill(
    log,
    Array.from({ length: 50 }, () => 2),
  );
  expect(readdirSync(folder)).toEqual([]);
  await log.close();
  const short = createFrameLog({ folder: join(folder, 'is not there') });
  fill(short, [1, 2, 3]);
  await short.close();
});

const never = new AbortController().signal;

/** Appends batches of so many frames; returns the last frame's number. */
function fill(log: FrameLog, batches: readonly number[]): number {
  let last = log.lastSeq();
  for (const frames of batches) {
    append(log, last + 1, last + frames);
    last += frames;
  }
  return last;
}

function append(log: FrameLog, first: number, lastSeq: number): void {
  const text = range(first, lastSeq).map((seq) => `id: run-1:${seq}\ndata: {}\n\n`);
  log.append({ lastSeq, bytes: new TextEncoder().encode(text.join('')) });
}

async function seqsOf(log: FrameLog, after: number, signal = never): Promise<readonly number[]> {
  const decoder = new TextDecoder();
  const seqs: number[] = [];
  for await (const { bytes, lastSeq } of log.read(after, signal)) {
    seqs.push(...[...decoder.decode(bytes).matchAll(/id: run-1:(\d+)/g)].map((match) => Number(match[1])));
    expect(seqs.at(-1)).toBe(lastSeq);
  }
  return seqs;
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
