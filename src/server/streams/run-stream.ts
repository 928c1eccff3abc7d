/** A run's events as frames: each is built once for any number of readers. */
import type { JournalLine } from '../../engine/journal/journal-line.ts';
import type { Clock } from '../../system/clock.ts';
import { timestampOf } from '../../text/timestamp.ts';
import { encodeFrame, encodeOpening, pingEvent } from '../../views/stream/frame.ts';
import { createArrivals } from './wake-up.ts';
import type { FrameSource } from './event-stream-port.ts';
import { createFrameLog } from './frame-log.ts';
import type { NumberedFrame, Framing } from './framing.ts';

export interface RunStream extends FrameSource {
  /** Takes the next lines of the journal; lines taken before are ignored. */
  push(lines: readonly JournalLine[]): void;
  /** Marks that all events so far have been pushed. */
  catchUp(): void;
  /** Ends the stream without a last event. */
  end(): void;
  /** Stops this source without ending the run: readers are disconnected and return to the next source. */
  leave(): Promise<void>;
}

export interface RunStreamOptions {
  readonly runId: string;
  readonly clock: Clock;
  readonly framing: Framing;
  /** The folder for the frames of a long run; it exists by the time there are many. */
  readonly folder: string;
}

/** Characters at which a batch of many events is split, so that a reader gets little at once. */
const batchCharacters = 32 * 1024;

const encoder = new TextEncoder();
/** Keeps a connection open before its first event, since no ping may precede it (X002-1). */
export const comment = encoder.encode(':\n\n');

export function createRunStream({ runId, clock, framing, folder }: RunStreamOptions): RunStream {
  const log = createFrameLog({ folder });
  const news = createArrivals();
  let startedAtMs: number | null = null;
  let journalSeq = 0;
  let lastFrame: NumberedFrame | null = null;
  let isCaughtUp = false;
  let isOver = false;
  let hasLeft = false;

  /** Puts all frames of one line into one batch, so that no ping comes between the last frames (X002-6). */
  function frameAll(lines: readonly JournalLine[]): void {
    let text = '';
    for (const line of lines) {
      for (const frame of framing.frame(line)) {
        text += frame.text;
        lastFrame = frame;
      }
      if (text.length >= batchCharacters) text = append(text);
    }
    append(text);
  }

  function append(text: string): '' {
    if (text !== '' && lastFrame !== null) {
      log.append({ lastSeq: lastFrame.seq, bytes: encoder.encode(text) });
    }
    return '';
  }

  function endSeq(): number | null {
    if (isOver) return lastFrame?.seq ?? 0;
    return lastFrame?.isLast === true ? lastFrame.seq : null;
  }

  function isKnown(seq: number): boolean {
    return isCaughtUp || hasLeft || endSeq() !== null || log.lastSeq() > seq;
  }

  return {
    runId,
    opening: encodeOpening(),
    ping() {
      if (startedAtMs === null || lastFrame === null) return comment;
      const elapsedMs = Math.max(0, Math.round(clock.now() - startedAtMs));
      return encodeFrame(runId, pingEvent(timestampOf(clock), elapsedMs));
    },
    endSeq,
    async hasAll(seq, signal) {
      while (!isKnown(seq) && !signal.aborted) await news.next(signal);
      return seq >= (endSeq() ?? Infinity);
    },
    read: (after, signal) => log.read(after, signal),
    push(lines) {
      const fresh = lines.filter(({ event }) => event.seq > journalSeq);
      const [first] = fresh;
      if (first === undefined) return;
      startedAtMs ??= Date.parse(first.event.ts);
      journalSeq = fresh.at(-1)?.event.seq ?? journalSeq;
      frameAll(fresh);
      if (endSeq() !== null) log.end();
      news.tell();
    },
    catchUp() {
      isCaughtUp = true;
      news.tell();
    },
    end() {
      const frames = framing.end();
      lastFrame = frames.at(-1) ?? lastFrame;
      isOver = true;
      append(frames.map(({ text }) => text).join(''));
      log.end();
      news.tell();
    },
    async leave() {
      hasLeft = true;
      news.tell();
      await log.close();
    },
  };
}
