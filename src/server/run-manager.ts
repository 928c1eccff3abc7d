/**
 * The runs of a server. A run belongs to no request (R002-6): it goes on while nobody reads, and over a restart. In a
 * conversation one run goes on at a time (X002-9).
 */
import type { ErrorKind } from '../events/collab-event.ts';
import { CollabError, type ErrorCode } from '../errors/collab-error.ts';
import type { Clock } from '../process/clock.ts';
import { driveRunFolder } from '../runs/drive-run.ts';
import type { Departure } from '../runs/engine-port.ts';
import { cancelRun } from '../runs/outside.ts';
import { newRunId } from '../runs/run-folder.ts';
import { takeLock, type RunLock } from '../runs/run-lock.ts';
import type { StreamingOptions } from '../wire/streaming-projection.ts';
import type { ConversationPlace, Conversations, ServedRun } from './conversations.ts';
import type { FrameSource } from './event-stream-port.ts';
import { createRefusedStream } from './refused-stream.ts';
import { runFolderOf } from './run-places.ts';
import type { RunPorts } from './run-ports.ts';
import { createStreamingFraming } from './framing.ts';
import type { RunStreams } from './run-streams.ts';

export interface RunManagerOptions {
  readonly conversations: Conversations;
  readonly ports: RunPorts;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly projection: StreamingOptions;
  readonly streams: RunStreams;
  /** Told of what is a bug of ours, or a damaged file. */
  readonly onFault: (error: unknown) => void;
}

/** What is to be begun in a conversation. */
export type WantedRun =
  | {
      readonly kind: 'command';
      readonly args: readonly string[];
      readonly text: string | null;
      /** What was asked for, in one line. */
      readonly title: string;
    }
  /** Nothing that could be begun. */
  | { readonly kind: 'refused'; readonly message: string };

export interface RunManager {
  /** Begins a run. What keeps it from beginning is told by the stream itself (X002-8). */
  begin(place: ConversationPlace, wanted: WantedRun): Promise<FrameSource>;
  /** As `begin`, for callers that take a refusal as it is. @throws CollabError as the command, `locked` */
  start(place: ConversationPlace, wanted: WantedCommand): Promise<FrameSource>;
  /** Drives on a run that waited, or that somebody else had begun. @throws CollabError `locked` */
  goOn(place: ConversationPlace, run: ServedRun): Promise<void>;
  /** The stream of a run of this conversation; null where there is none of this id. */
  stream(place: ConversationPlace, runId: string): FrameSource | null;
  /** The newest run of a conversation; null where none was begun. */
  newest(place: ConversationPlace): string | null;
  /** Ends what runs; with a `runId` only that run (X002-11). */
  cancel(place: ConversationPlace, runId: string | null): Promise<'asked' | 'nothing_runs' | 'another_runs'>;
  /** Interrupts all that runs, so that the next server goes on with it. */
  stop(): Promise<void>;
}

export type WantedCommand = Extract<WantedRun, { kind: 'command' }>;

interface ActiveRun {
  readonly run: ServedRun;
  readonly runFolder: string;
  readonly driving: Promise<void>;
}

/** Refusals that readers may still come back to. */
const keptRefusals = 64;

export function createRunManager(options: RunManagerOptions): RunManager {
  const { conversations, ports, clock, projection, streams, onFault } = options;
  const stopping = new AbortController();
  /** By conversation; null while its run is only prepared. */
  const active = new Map<string, ActiveRun | null>();
  const refused = new Map<string, { readonly key: string; readonly stream: FrameSource }>();

  async function begin(place: ConversationPlace, wanted: WantedRun): Promise<FrameSource> {
    if (wanted.kind === 'refused') return refuse(place, 'options', wanted.message);
    try {
      return await start(place, wanted);
    } catch (error) {
      if (!(error instanceof CollabError)) onFault(error);
      return refuse(place, kindOf(error), messageOf(error));
    }
  }

  async function start(place: ConversationPlace, wanted: WantedCommand): Promise<FrameSource> {
    const key = keyOf(place);
    if (active.has(key)) throw new CollabError('locked', lockedMessage);
    active.set(key, null);
    let lock: RunLock | null = null;
    try {
      lock = await takeLock(place.folder);
      const run = await prepare(place, wanted);
      return launch(place, run, lock);
    } catch (error) {
      await lock?.release();
      active.delete(key);
      throw error;
    }
  }

  async function goOn(place: ConversationPlace, run: ServedRun): Promise<void> {
    const key = keyOf(place);
    const live = active.get(key);
    if (live === null || (live !== undefined && live.run.run_id !== run.run_id)) {
      throw new CollabError('locked', lockedMessage);
    }
    const lock = await takeLock(place.folder);
    record(place, { ...run, state: 'running' });
    launch(place, run, lock);
  }

  async function prepare(place: ConversationPlace, { args, text, title }: WantedCommand): Promise<ServedRun> {
    const { home } = place;
    const found = await ports.prepareCommand({ home, args, text, signal: stopping.signal });
    const { readRunInput } = await import('../runs/run-input.ts');
    const { kind } = readRunInput(found.path);
    const run: ServedRun = { run_id: found.runId, kind, title, state: 'running', starts: 1 };
    record(place, run);
    return run;
  }

  /** A run keeps its place among those of its conversation. */
  function record(place: ConversationPlace, run: ServedRun): void {
    conversations.change(place, (before) => {
      const isKnown = before.runs.some(({ run_id: id }) => id === run.run_id);
      const runs = before.runs.map((known) => (known.run_id === run.run_id ? run : known));
      return { ...before, runs: isKnown ? runs : [...runs, run] };
    });
  }

  function launch(place: ConversationPlace, run: ServedRun, lock: RunLock): FrameSource {
    const runFolder = runFolderOf(place, run);
    const driving = driveLocked(place, run, lock);
    active.set(keyOf(place), { run, runFolder, driving });
    return streamOf(place, run);
  }

  async function driveLocked(place: ConversationPlace, run: ServedRun, lock: RunLock): Promise<void> {
    try {
      await drive(place, run);
    } catch (error) {
      onFault(error);
    } finally {
      await lock.release();
    }
  }

  async function drive(place: ConversationPlace, run: ServedRun): Promise<void> {
    const { env } = options;
    const departure = await driveRunFolder({
      runFolder: runFolderOf(place, run),
      runId: run.run_id,
      env,
      clock,
      signal: stopping.signal,
      where: { conversationId: place.id, tenantId: place.tenant },
    });
    leave(place, run, departure);
  }

  function leave(place: ConversationPlace, run: ServedRun, departure: Departure<unknown>): void {
    if (departure.kind === 'interrupted') return;
    const state = departure.kind === 'settled' ? 'ended' : 'waiting';
    record(place, { ...run, state });
    if (state === 'ended') active.delete(keyOf(place));
  }

  function refuse(place: ConversationPlace, kind: ErrorKind, message: string): FrameSource {
    const runId = newRunId(clock);
    const stream = createRefusedStream({ runId, place, kind, message }, { clock, projection });
    refused.set(runId, { key: keyOf(place), stream });
    for (const [oldest] of refused) if (refused.size > keptRefusals) refused.delete(oldest);
    return stream;
  }

  /** Of all that the journal says, whoever writes it. */
  function streamOf(place: ConversationPlace, run: ServedRun): FrameSource {
    const { run_id: runId } = run;
    return streams.source({
      runId,
      runFolder: runFolderOf(place, run),
      kind: 'streaming',
      createFraming: () => createStreamingFraming({ runId, projection, messages: () => null }),
    });
  }

  return {
    begin,
    start,
    goOn,
    stream(place, runId) {
      const key = keyOf(place);
      const gone = refused.get(runId);
      if (gone?.key === key) return gone.stream;
      const run = conversations.read(place)?.runs.find(({ run_id: id }) => id === runId);
      return run === undefined ? null : streamOf(place, run);
    },
    newest: (place) => conversations.read(place)?.runs.at(-1)?.run_id ?? null,
    async cancel(place, runId) {
      const live = active.get(keyOf(place));
      if (live === undefined || live === null) return 'nothing_runs';
      if (runId !== null && live.run.run_id !== runId) return 'another_runs';
      await cancelRun({ runFolder: live.runFolder, clock });
      return 'asked';
    },
    async stop() {
      stopping.abort(new Error('the server stops'));
      const runs = [...active.values()].filter((run) => run !== null);
      await Promise.all(runs.map(({ driving }) => driving));
    },
  };
}

function keyOf({ tenant, id }: ConversationPlace): string {
  return `${tenant}/${id}`;
}

const lockedMessage = 'Another run goes on in this conversation; send this again when it has ended.';

/** What keeps a run from beginning, as events name it. */
function kindOf(error: unknown): ErrorKind {
  if (!(error instanceof CollabError)) return 'internal';
  return kinds[error.code] ?? 'internal';
}

const kinds: Readonly<Partial<Record<ErrorCode, ErrorKind>>> = {
  usage: 'options',
  config: 'options',
  input: 'options',
  empty_input: 'options',
  range: 'options',
  run_not_found: 'options',
  options: 'options',
  locked: 'locked',
  cli_missing: 'cli_missing',
  auth: 'auth',
  model: 'model',
};

/** What is no error of ours is a bug: its text is for the log. */
function messageOf(error: unknown): string {
  if (!(error instanceof CollabError)) return 'The server failed on this request; its log says why.';
  return error.hint === null ? error.message : `${error.message} (${error.hint})`;
}
