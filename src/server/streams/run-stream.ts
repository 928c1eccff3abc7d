/** A run's events as frames: each is built once, whoever reads it and however often. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { timestampOf } from '../../text/timestamp.ts';
import { encodeFrame, encodeOpening, pingEvent } from '../../views/stream/frame.ts';
import { createArrivals } from './wake-up.ts';
import type { FrameSource } from './event-stream-port.ts';
import { createFrameLog } from './frame-log.ts';
import type { Frame, Framing } from './framing.ts';

export interface RunStream extends FrameSource {
  /** Takes the next events of the journal; those that were taken before count nothing. */
  push(events: readonly CollabEvent[]): void;
  /** All that has happened until now was pushed. */
  catchUp(): void;
  /** Nothing more comes, although no event says so. */
  end(): void;
  /** Nothing more comes from here: readers are let go, and come back to the next one. */
  leave(): Promise<void>;
}

export interface RunStreamOptions {
  readonly runId: string;
  readonly clock: Clock;
  readonly framing: Framing;
  /** Where the frames of a long run are laid down; it is there when they are many. */
  readonly folder: string;
}

/** Readers come and go while a batch is made of many events; what they are given at once stays small. */
const batchCharacters = 32 * 1024;

const encoder = new TextEncoder();
/** Keeps a connection open on which nothing has happened yet: a ping does not come before the first event (X002-1). */
export const comment = encoder.encode(':\n\n');

export function createRunStream({ runId, clock, framing, folder }: RunStreamOptions): RunStream {
  const log = createFrameLog({ folder });
  const news = createArrivals();
  let startedAtMs: number | null = null;
  let journalSeq = 0;
  let lastFrame: Frame | null = null;
  let isCaughtUp = false;
  let isOver = false;
  let hasLeft = false;

  /** What comes of one event lies in one batch, so that no ping comes between the last frames (X002-6). */
  function frameAll(events: readonly CollabEvent[]): void {
    let text = '';
    for (const event of events) {
      for (const frame of framing.frame(event)) {
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
    push(events) {
      const fresh = events.filter(({ seq }) => seq > journalSeq);
      const [first] = fresh;
      if (first === undefined) return;
      startedAtMs ??= Date.parse(first.ts);
      journalSeq = fresh.at(-1)?.seq ?? journalSeq;
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
