/**
 * Keeps all frames of a run for all of its readers: the latest in memory, earlier ones on disk. A stalled reader holds one
 * batch, however long the run is.
 */
import { createArrivals } from './wake-up.ts';
import type { FrameBatch } from './event-stream-port.ts';
import { openFrameSpool, type FrameSpool } from './frame-file.ts';
import { countWhile } from '../../system/binary-search.ts';

export interface FrameLog {
  lastSeq(): number;
  /** Adds the frames after the last one. A reader gets the batch whole, or its rest if it resumes in the middle. */
  append(batch: FrameBatch): void;
  /** Marks the end: readers finish once they have all frames. */
  end(): void;
  /** Yields the frames after `after`, each once and in order, until the end, `close` or the signal. */
  read(after: number, signal: AbortSignal): AsyncGenerator<FrameBatch>;
  /** Disconnects all readers. Safe to call twice. */
  close(): Promise<void>;
}

export interface FrameLogOptions {
  /** The folder of the frames that are no longer held in memory. */
  readonly folder: string;
  /** The number of bytes held in memory. */
  readonly keptBytes?: number;
  /** The minimum number of bytes per read for a reader that is behind. */
  readonly blockBytes?: number;
}

/** Frames on disk; `first` is the number of the first. */
interface Block {
  readonly first: number;
  readonly lastSeq: number;
  readonly position: number;
  readonly length: number;
}

export function createFrameLog({
  folder,
  keptBytes = 1024 * 1024,
  blockBytes = 64 * 1024,
}: FrameLogOptions): FrameLog {
  const arrivals = createArrivals();
  const blocks: Block[] = [];
  let recent: FrameBatch[] = [];
  let recentBytes = 0;
  let spool: FrameSpool | null = null;
  let ended = false;
  const closing = new AbortController();
  const reads = new Set<Promise<unknown>>();

  const spooledSeq = (): number => blocks.at(-1)?.lastSeq ?? 0;
  const lastSeq = (): number => recent.at(-1)?.lastSeq ?? spooledSeq();

  function spill(): void {
    const oldest = upTo(recent, 0, blockBytes);
    const { bytes, lastSeq: last } = join(oldest);
    spool ??= openFrameSpool(folder);
    const position = spool.append(bytes);
    blocks.push({ first: spooledSeq() + 1, lastSeq: last, position, length: bytes.length });
    recent = recent.slice(oldest.length);
    recentBytes -= bytes.length;
  }

  function fromMemory(after: number): FrameBatch | null {
    const index = firstBehind(recent, after);
    const before = recent[index - 1]?.lastSeq ?? spooledSeq();
    const found = upTo(recent, index, blockBytes);
    return found.length === 0 ? null : framesAfter(join(found), before + 1, after);
  }

  async function fromDisk(after: number): Promise<FrameBatch> {
    const block = blocks[firstBehind(blocks, after)];
    if (block === undefined || spool === null) throw new Error(`No frames after ${after} are on the disk`);
    const reading = spool.read(block.position, block.length);
    reads.add(reading);
    try {
      return framesAfter({ lastSeq: block.lastSeq, bytes: await reading }, block.first, after);
    } finally {
      reads.delete(reading);
    }
  }

  return {
    lastSeq,
    append(batch) {
      recent.push(batch);
      recentBytes += batch.bytes.length;
      while (recentBytes > keptBytes + blockBytes) spill();
      arrivals.tell();
    },
    end() {
      ended = true;
      arrivals.tell();
    },
    async *read(after, signal) {
      for (let place = after; !signal.aborted && !closing.signal.aborted;) {
        const batch = place < spooledSeq() ? await fromDisk(place) : fromMemory(place);
        if (batch !== null) {
          place = batch.lastSeq;
          yield batch;
        } else if (ended) return;
        else await arrivals.next(signal);
      }
    },
    async close() {
      closing.abort();
      arrivals.tell();
      await Promise.allSettled(reads);
      spool?.close();
      spool = null;
    },
  };
}

/** Returns the index of the first item with a frame after `after`, or the length if there is none. */
function firstBehind(sorted: readonly { readonly lastSeq: number }[], after: number): number {
  return countWhile(sorted.length, (index) => (sorted[index]?.lastSeq ?? 0) <= after);
}

/** Returns batches from `index` on with at least `wantedBytes` bytes together, or all that remain. */
function upTo(batches: readonly FrameBatch[], index: number, wantedBytes: number): readonly FrameBatch[] {
  let end = index;
  for (let bytes = 0; end < batches.length && bytes < wantedBytes; end += 1) {
    bytes += batches[end]?.bytes.length ?? 0;
  }
  return batches.slice(index, end);
}

/** Joins batches; a single batch keeps the bytes that all readers share. */
function join(batches: readonly FrameBatch[]): FrameBatch {
  const [first] = batches;
  const last = batches.at(-1);
  if (first === undefined || last === undefined) throw new Error('There is nothing to join');
  if (batches.length === 1) return first;
  return { lastSeq: last.lastSeq, bytes: Buffer.concat(batches.map(({ bytes }) => bytes)) };
}

const newline = 0x0a;

/**
 * Returns a batch without the frames up to `after`. A frame ends with an empty line and contains none: its data is JSON on one
 * line.
 *
 * @param first the number of the batch's first frame
 */
function framesAfter(batch: FrameBatch, first: number, after: number): FrameBatch {
  let start = 0;
  for (let seq = first; seq <= after; seq += 1) start = endOfFrame(batch.bytes, start);
  return start === 0 ? batch : { lastSeq: batch.lastSeq, bytes: batch.bytes.subarray(start) };
}

function endOfFrame(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(newline, start);
  while (end >= 0 && bytes[end + 1] !== newline) end = bytes.indexOf(newline, end + 1);
  if (end < 0) throw new Error('A batch of frames is cut');
  return end + 2;
}
