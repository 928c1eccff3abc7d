/**
 * The streams of runs that are read: one for all readers of a run, fed from its journal, whoever drives it: this process, a
 * command, or the server that comes after this one.
 */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../../system/clock.ts';
import { followJournalInBatches } from '../../runs/folder/follow-journal.ts';
import { standing } from '../../runs/folder/run-status.ts';
import { encodeOpening } from '../../views/stream/frame.ts';
import type { FrameSource } from './event-stream-port.ts';
import type { Framing } from './framing.ts';
import { comment, createRunStream, type RunStream } from './run-stream.ts';

export interface RunStreams {
  /** Two calls for the same run and kind share what they read. */
  source(run: StreamedRun): FrameSource;
  /** Readers are let go. */
  close(): Promise<void>;
}

export interface StreamedRun {
  readonly runId: string;
  readonly runFolder: string;
  /** Tells apart what is made of the same run. */
  readonly kind: string;
  readonly createFraming: () => Framing;
}

export interface RunStreamsOptions {
  readonly clock: Clock;
  /** Told of a journal that cannot be read; its readers are let go. */
  readonly onFault: (error: unknown) => void;
}

interface OpenStream {
  readonly stream: RunStream;
  users: number;
  /** Ends the feeding. */
  readonly stop: AbortController;
  readonly fed: Promise<void>;
}

/** How long a stream stays that nobody reads: who comes back finds its frames made. */
const keptMs = 30_000;

export function createRunStreams({ clock, onFault }: RunStreamsOptions): RunStreams {
  const streams = new Map<string, OpenStream>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);

  function enter(run: StreamedRun): OpenStream {
    const opened = streams.get(keyOf(run)) ?? open(run);
    opened.users += 1;
    return opened;
  }

  function open(run: StreamedRun): OpenStream {
    const { runId, runFolder, createFraming } = run;
    const stream = createRunStream({ runId, clock, framing: createFraming(), folder: runFolder });
    const stop = new AbortController();
    const fed = feed(stream, run, stop.signal);
    const opened: OpenStream = { stream, users: 0, stop, fed };
    streams.set(keyOf(run), opened);
    return opened;
  }

  async function feed(stream: RunStream, run: StreamedRun, signal: AbortSignal): Promise<void> {
    try {
      for await (const events of followJournalInBatches({ runFolder: run.runFolder, clock, signal })) {
        stream.push(events);
        if (events.length === 0) stream.catchUp();
      }
      if (!signal.aborted && stream.endSeq() === null) await leaveUntold(stream, run);
    } catch (error) {
      onFault(error);
      streams.delete(keyOf(run));
      await stream.leave();
    }
  }

  /** No record says that nothing follows, and a later drive may write more: who comes next reads the journal anew. */
  async function leaveUntold(stream: RunStream, run: StreamedRun): Promise<void> {
    const state = await standing(run.runFolder);
    streams.delete(keyOf(run));
    if (state === 'ended') stream.end();
    else await stream.leave();
  }

  async function release(key: string, opened: OpenStream): Promise<void> {
    opened.users -= 1;
    if (opened.users > 0) return;
    await clock.sleep(keptMs, closing.signal).catch(() => undefined);
    if (opened.users > 0) return;
    if (streams.get(key) === opened) streams.delete(key);
    await closeStream(opened);
  }

  function source(run: StreamedRun): FrameSource {
    const key = keyOf(run);
    let endSeq: number | null = null;
    /** That which was read last; another may have taken its place. */
    let joined: RunStream | null = null;

    function join(): OpenStream {
      const opened = enter(run);
      joined = opened.stream;
      return opened;
    }

    const current = (): RunStream | undefined => joined ?? streams.get(key)?.stream;

    return {
      runId: run.runId,
      opening: encodeOpening(),
      ping: () => current()?.ping() ?? comment,
      endSeq: () => (endSeq ??= current()?.endSeq() ?? null),
      async hasAll(seq, signal) {
        const opened = join();
        try {
          return await opened.stream.hasAll(seq, signal);
        } finally {
          void release(key, opened);
        }
      },
      async *read(after, signal) {
        const opened = join();
        try {
          yield* opened.stream.read(after, signal);
        } finally {
          void release(key, opened);
        }
      },
    };
  }

  return {
    source,
    async close() {
      const all = [...streams.values()];
      streams.clear();
      closing.abort();
      await Promise.all(all.map(closeStream));
    },
  };
}

function keyOf({ runFolder, kind }: StreamedRun): string {
  return `${kind} ${runFolder}`;
}

async function closeStream({ stream, stop, fed }: OpenStream): Promise<void> {
  stop.abort();
  await fed;
  await stream.leave();
}
