/** A run's events as the stream of specification 002: each frame is built once, whoever reads it and however often. */
import type { CollabEvent } from '../events/collab-event.ts';
import type { Clock } from '../process/clock.ts';
import { Deferred } from '../runs/deferred.ts';
import { timestampOf } from '../runs/timestamp.ts';
import type { StreamingEvent } from '../wire/streaming-event.ts';
import { encodeFrame, encodeOpening, pingEvent } from '../wire/streaming-frame.ts';
import { withMessages } from '../wire/streaming-messages.ts';
import { createStreamingProjection, type StreamingOptions } from '../wire/streaming-projection.ts';
import type { EventFrame, FrameSource } from './event-stream-port.ts';

export interface RunStream extends FrameSource {
  /** Takes the next event of the journal; one that was taken before counts nothing. */
  readonly push: (event: CollabEvent) => void;
  /** Nothing more comes in this process: readers are let go, and come back to the next one. */
  readonly leave: () => void;
}

export interface RunStreamOptions {
  readonly runId: string;
  readonly clock: Clock;
  readonly projection: StreamingOptions;
  /** What was said in the run, in the shape of specification 003, asked for at its end; null where nothing was. */
  readonly messages: () => readonly unknown[] | null;
}

export function createRunStream({
  runId,
  clock,
  projection: options,
  messages,
}: RunStreamOptions): RunStream {
  const projection = createStreamingProjection(options);
  const frames: EventFrame[] = [];
  let startedAtMs = clock.now();
  let journalSeq = 0;
  let isWhole = false;
  let hasLeft = false;
  let more = new Deferred<void>();

  function wake(): void {
    const before = more;
    more = new Deferred();
    before.resolve();
  }

  function add(event: StreamingEvent): void {
    const said = event.event === 'done' ? messages() : null;
    const whole = event.event === 'done' && said !== null ? withMessages(event, said) : event;
    frames.push({ seq: whole.data.seq, bytes: encodeFrame(runId, whole) });
    if (whole.event === 'done') isWhole = true;
  }

  return {
    runId,
    opening: encodeOpening(),
    ping: () =>
      encodeFrame(runId, pingEvent(timestampOf(clock), Math.max(0, Math.round(clock.now() - startedAtMs)))),
    endSeq: () => (isWhole ? frames.length : null),
    push(event) {
      if (event.seq <= journalSeq) return;
      if (journalSeq === 0) startedAtMs = Date.parse(event.ts);
      journalSeq = event.seq;
      const before = frames.length;
      projection.push(event).forEach(add);
      if (frames.length > before) wake();
    },
    leave() {
      hasLeft = true;
      wake();
    },
    async *read(after, signal) {
      let next = after;
      const aborted = abortOf(signal);
      while (!signal.aborted) {
        const batch = frames.slice(next);
        next += batch.length;
        if (batch.length > 0) yield batch;
        else if (isWhole || hasLeft) return;
        else await Promise.race([more.promise, aborted]);
      }
    },
  };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
