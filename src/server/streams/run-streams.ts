/**
 * The streams of runs that have readers: one for all readers of a run, fed from its journal, whichever process drives it: this
 * one, a command, or the next server.
 */
import { setMaxListeners } from 'node:events';
import type { Clock } from '../../system/clock.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { encodeOpening } from '../../views/stream/frame.ts';
import type { FrameSource } from './event-stream-port.ts';
import type { Framing } from './framing.ts';
import { comment, createRunStream, type RunStream } from './run-stream.ts';

export interface RunStreams {
  /** Returns the frames of a run. Two calls for the same run and kind share one stream. */
  source(run: StreamedRun): FrameSource;
  /** The number of open readers. */
  readers(): number;
  /** Disconnects all readers. */
  close(): Promise<void>;
}

export interface StreamedRun {
  readonly runId: string;
  readonly runFolder: string;
  /** Distinguishes the streams of the same run. */
  readonly kind: string;
  readonly createFraming: () => Framing;
}

export interface RunStreamsOptions {
  readonly clock: Clock;
  readonly engine: Engine;
  /** The folder for the frames of long runs; default: that of each run. */
  readonly framesFolder?: string | undefined;
  /** Called for a journal that cannot be read; its readers are disconnected. */
  readonly onFault: (error: unknown) => void;
}

interface OpenStream {
  readonly stream: RunStream;
  users: number;
  /** Stops the feeding. */
  readonly stop: AbortController;
  readonly fed: Promise<void>;
}

/** How long a stream without readers is kept: a returning reader finds its frames built. */
const keptMs = 30_000;

export function createRunStreams({ clock, engine, framesFolder, onFault }: RunStreamsOptions): RunStreams {
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
    const folder = framesFolder ?? runFolder;
    const stream = createRunStream({ runId, clock, framing: createFraming(), folder });
    const stop = new AbortController();
    const fed = feed(stream, run, stop.signal);
    const opened: OpenStream = { stream, users: 0, stop, fed };
    streams.set(keyOf(run), opened);
    return opened;
  }

  async function feed(stream: RunStream, run: StreamedRun, signal: AbortSignal): Promise<void> {
    try {
      for await (const lines of engine.events(placeOf(run), 0, signal)) {
        stream.push(lines);
        if (lines.length === 0) stream.catchUp();
      }
      if (!signal.aborted && stream.endSeq() === null) await leaveUntold(stream, run);
    } catch (error) {
      onFault(error);
      streams.delete(keyOf(run));
      await stream.leave();
    }
  }

  /**
   * Closes a stream whose journal has no last record. A later drive may write more, so the next reader reads the journal again.
   */
  async function leaveUntold(stream: RunStream, run: StreamedRun): Promise<void> {
    const { state } = await engine.status(placeOf(run));
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
    /** The stream read last; another may have replaced it in `streams`. */
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
    readers: () => [...streams.values()].reduce((sum, { users }) => sum + users, 0),
    async close() {
      const all = [...streams.values()];
      streams.clear();
      closing.abort();
      await Promise.all(all.map(closeStream));
    },
  };
}

function placeOf({ runId, runFolder: path }: StreamedRun): RunFolder {
  return { runId, path };
}

function keyOf({ runFolder, kind }: StreamedRun): string {
  return `${kind} ${runFolder}`;
}

async function closeStream({ stream, stop, fed }: OpenStream): Promise<void> {
  stop.abort();
  await fed;
  await stream.leave();
}
