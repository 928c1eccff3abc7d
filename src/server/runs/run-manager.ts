/**
 * The runs of a server. A run belongs to no request (R002-6): it continues without readers, and after a restart. A conversation
 * has one active run at a time (X002-9).
 */
import { CollabError } from '../../errors/collab-error.ts';
import type { ErrorKind } from '../../events/collab-event.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import { askOwner } from '../../engine/lock/lock.ts';
import type { OwnerReply, OwnerRequest } from '../../engine/lock/requests.ts';
import { collectRecords } from '../../engine/journal/recorded-events.ts';
import { failRun, nullWhenLocked } from '../../engine/drive/other-process.ts';
import type { ActiveRun } from '../conversations/active-run.ts';
import type { ConversationPlace, ServedRun } from '../conversations/conversations.ts';
import type { Departure } from '../../engine/port.ts';
import { driveServed, type DriveServedOptions } from './drive-served.ts';
import type { ValidTokens } from '../access/valid-tokens.ts';
import type { FrameSource } from '../streams/event-stream-port.ts';
import { createHeldConversations } from '../conversations/conversation-locks.ts';
import { prepareRun, type FreshRun } from './prepare-run.ts';
import { isServersFault, kindOfError, messageOfError } from './refusal-kinds.ts';
import { runFolderOf } from '../conversations/run-places.ts';
import type { RunRequest } from '../routes/run-request.ts';
import { createServedStreams, type ServedStreamsOptions } from '../streams/served-streams.ts';
import { toldOf } from '../conversations/run-summary.ts';

export interface RunManagerOptions
  extends
    Pick<DriveServedOptions, 'ports' | 'providers' | 'isServerOpen' | 'env' | 'clock' | 'turnLimitMs'>,
    Pick<ServedStreamsOptions, 'conversations' | 'projection' | 'streams' | 'hidePaths' | 'sendsMessages'> {
  readonly engine: Engine;
  /** The folder of the served repository. */
  readonly cwd: string;
  /** A token that is revoked or expires cancels the runs that it started and disconnects its readers. */
  readonly tokens: ValidTokens;
  /** Called for a bug of collab or a damaged file; no client gets its text. */
  readonly onFault: (error: unknown) => void;
  readonly onNews?: (news: RunNews) => void;
}

/** A run that this server submits to workers, drives, or no longer drives. */
export interface RunNews {
  readonly kind: 'submitted' | 'driven' | Departure<unknown>['kind'] | 'failed';
  readonly runId: string;
  readonly tenant: string;
}

export interface RunManager {
  /** Starts a run. If it cannot start, the stream itself reports why (X002-8). */
  begin(place: ConversationPlace, request: RunRequest): Promise<FrameSource>;
  /** Like `begin`, for callers that handle the refusal themselves. @throws CollabError as the command, `locked` */
  start(place: ConversationPlace, request: RunRequest): Promise<FrameSource>;
  /** Returns the stream of a run of this conversation, or of a refused run; null if the id is unknown. */
  stream(place: ConversationPlace, runId: string): Promise<FrameSource | null>;
  /** Returns the newest run of a conversation; null if it has none. */
  newest(place: ConversationPlace): Promise<string | null>;
  /** Resolves when this process has nothing left to do for the run. */
  over(place: ConversationPlace, runId: string): Promise<void>;
  /** Resumes a run that waited and now has its answer, or that another process started. */
  goOn(place: ConversationPlace, run: ServedRun): Promise<void>;
  /** Ends the active or waiting run, whichever server holds it; with a `runId`, only that run (X002-11). */
  cancel(place: ConversationPlace, runId: string | null): Promise<Cancelled>;
  /** Continues the runs that an earlier server left. Resolves when all of them are restarted. */
  recover(): Promise<void>;
  /** Interrupts all runs, so that the next server continues them. */
  stop(): Promise<void>;
}

/** A continued run opens its lead and its input again. */
const continued: FreshRun = { lead: null, opened: null };

/** Milliseconds between checks whether a started run has its first record. */
const beginMs = 20;
/** How often an owner that takes no requests yet is asked. */
const mostTries = 50;
/** The number of restarts after which a run still resumes by itself. */
const mostRestarts = 2;
/** The time that a turn has to finish after its limit; then its conversation is freed in any case (X002-9). */
const graceMs = 30_000;

export function createRunManager(options: RunManagerOptions): RunManager {
  const { conversations, clock, engine, projection, tokens, onFault, turnLimitMs } = options;
  const stopping = new AbortController();
  const held = createHeldConversations(replyToOther);
  const served = createServedStreams({ ...options, held });

  async function begin(place: ConversationPlace, request: RunRequest): Promise<FrameSource> {
    try {
      return await start(place, request);
    } catch (error) {
      if (isServersFault(error)) onFault(error);
      return served.refuse(place, kindOfError(error), messageOfError(error));
    }
  }

  async function start(place: ConversationPlace, request: RunRequest): Promise<FrameSource> {
    await freeIfEnded(place);
    const holder = await held.hold(place);
    try {
      if (conversations.read(place)?.can_continue === false)
        throw new CollabError('context_limit', fullMessage);
      const { run, ...fresh } = await prepareRun(place, request, { ...options, signal: signalOf(holder) });
      launch(holder, run, fresh);
      return served.of(place, run);
    } catch (error) {
      await held.letGo(holder);
      throw holder.stop.signal.aborted ? new CollabError('cancelled', 'cancelled', { cause: error }) : error;
    }
  }

  function signalOf({ stop }: ActiveRun): AbortSignal {
    return AbortSignal.any([stop.signal, stopping.signal]);
  }

  function launch(holder: ActiveRun, run: ServedRun, fresh: FreshRun = continued): void {
    holder.run = run;
    holder.unwatch();
    holder.driving = drive(holder, run, fresh)
      .catch((error: unknown) => fail(holder, run, error))
      .catch(onFault)
      .finally(() => {
        holder.driving = null;
      });
    // Afterwards: a token that is invalid already cancels at once, and must find the drive.
    holder.unwatch = watchToken(holder.place, run);
  }

  function watchToken(place: ConversationPlace, { token, run_id: runId }: ServedRun): () => void {
    return tokens.watch(token, () => void cancel(place, runId).catch(onFault));
  }

  async function drive(holder: ActiveRun, run: ServedRun, fresh: FreshRun): Promise<void> {
    const over = new AbortController();
    const lease = run.kind === 'turn' ? watchLease(holder, over.signal) : null;
    const recorded = collectRecords(runFolderOf(holder.place, run));
    const tell = (kind: RunNews['kind']): void =>
      options.onNews?.({ kind, runId: run.run_id, tenant: holder.place.tenant });
    tell('driven');
    const departure = await driveServed(holder.place, run, {
      ...options,
      ...fresh,
      title: (conversations.read(holder.place)?.title ?? null) === null ? run.title : null,
      signal: signalOf(holder),
      recorded,
      onEvent(event) {
        if (event.type === 'run.ended') holder.hasEnded = true;
      },
    })
      .catch((error: unknown) => {
        tell('failed');
        throw error;
      })
      .finally(() => over.abort());
    tell(departure.kind);
    await lease;
    if (departure.kind === 'settled') return finish(holder, run, recorded);
    if (departure.kind === 'suspended') return wait(holder, run);
    if (holder.stop.signal.aborted) throw new CollabError('timeout', leaseMessage);
    // Another process has taken it over, or the next server continues it.
    await held.letGo(holder);
  }

  async function watchLease(holder: ActiveRun, over: AbortSignal): Promise<void> {
    if (turnLimitMs === null) return;
    await clock.sleep(turnLimitMs + graceMs, over).catch(() => undefined);
    if (!over.aborted) holder.stop.abort(new Error('the lease is over'));
  }

  async function finish(
    holder: ActiveRun,
    run: ServedRun,
    recorded = collectRecords(runFolderOf(holder.place, run)),
  ): Promise<void> {
    const { place } = holder;
    const told = toldOf(recorded.all(), run.kind, projection);
    conversations.change(place, (before) => ({
      ...before,
      title: before.title ?? told.title,
      can_continue: before.can_continue && told.canContinue,
      context: told.context ?? before.context,
      runs: before.runs.map((known) => (known.run_id === run.run_id ? { ...known, state: 'ended' } : known)),
    }));
    await held.letGo(holder);
  }

  /** Keeps the conversation locked, because its stream has no end yet. */
  function wait({ place }: ActiveRun, run: ServedRun): void {
    mark(place, { ...run, state: 'waiting' });
  }

  /** Updates a run in place among those of its conversation. */
  function mark(place: ConversationPlace, run: ServedRun): void {
    conversations.change(place, (before) => {
      const isKnown = before.runs.some(({ run_id: id }) => id === run.run_id);
      const runs = before.runs.map((known) => (known.run_id === run.run_id ? run : known));
      return { ...before, runs: isKnown ? runs : [...runs, run] };
    });
  }

  /** Ends a run whose machinery failed, rather than an agent: the journal and every reader get the error. */
  async function fail(holder: ActiveRun, run: ServedRun, error: unknown, kind?: ErrorKind): Promise<void> {
    if (isServersFault(error)) onFault(error);
    const { place } = holder;
    const agent = { id: 'lead', role: 'lead', provider: 'collab' } as const;
    const envelope = { runId: run.run_id, conversationId: place.id, tenantId: place.tenant, agent };
    const why = kind ?? (kindOfError(error) === 'locked' ? 'internal' : kindOfError(error));
    const runFolder = runFolderOf(place, run);
    await failRun({ runFolder, clock, envelope, kind: why, message: messageOfError(error) });
    await finish(holder, run);
  }

  async function goOn(place: ConversationPlace, run: ServedRun): Promise<void> {
    const before = held.holder(place);
    if (before?.run?.run_id !== run.run_id) return takeOver(place, run);
    // The process that drives it has received the answer, or is about to exit; then it continues here.
    if (before.driving !== null && (await engine.status(runAt(place, run))).state !== 'running')
      await before.driving;
    if (before.driving !== null || held.holder(place) !== before) return;
    mark(place, { ...run, state: 'running' });
    launch(before, run);
  }

  /** Another process may have ended the run that waits here. */
  async function freeIfEnded(place: ConversationPlace): Promise<void> {
    const holder = held.holder(place);
    if (holder === undefined || holder.run === null || holder.driving !== null) return;
    if ((await stateOf(engine, runAt(place, holder.run))) !== 'ended' || held.holder(place) !== holder)
      return;
    await finish(holder, holder.run);
  }

  /** Another server may hold the conversation, and then continues the run. */
  async function takeOver(place: ConversationPlace, run: ServedRun): Promise<void> {
    const holder = await held.hold(place).catch(nullWhenLocked);
    if (holder === null) {
      await askOwner(place.folder, { type: 'continue', run_id: run.run_id });
      return;
    }
    mark(place, { ...run, state: 'running' });
    launch(holder, run);
  }

  async function replyToOther(place: ConversationPlace, request: OwnerRequest): Promise<OwnerReply> {
    switch (request.type) {
      case 'cancel': {
        const { answer, freed } = await cancelHere(place, request.run_id ?? null);
        // The lock, and with it this connection, closes when the conversation is free.
        freed?.catch(onFault);
        if (answer !== 'asked') return { ok: false, message: answer };
        return { ok: true, state: freed === null ? 'running' : 'waiting' };
      }
      case 'continue': {
        const run = held.holder(place)?.run ?? null;
        if (run?.run_id !== request.run_id) return { ok: false, message: 'another_runs' };
        await goOn(place, run);
        return { ok: true, state: 'running' };
      }
      case 'wait':
        return new Promise<never>(() => undefined);
      case 'status':
      case 'answer':
        return { ok: false, message: 'a conversation answers for no run' };
    }
  }

  /** The conversation may be held by another server. */
  async function cancel(place: ConversationPlace, runId: string | null): Promise<Cancelled> {
    if (held.holder(place) !== undefined) {
      const { answer, freed } = await cancelHere(place, runId);
      await freed;
      return answer;
    }
    const named = runId === null ? {} : { run_id: runId };
    for (let tries = 0; tries < mostTries; tries += 1) {
      const reply = await askOwner(place.folder, { type: 'cancel', ...named });
      if (reply === null) break;
      if (reply.ok) {
        if (reply.state === 'waiting') await askOwner(place.folder, { type: 'wait' });
        return 'asked';
      }
      const known = refusedCancels.find((refused) => refused === reply.message);
      if (known !== undefined) return known;
      // It has just taken the lock and takes no requests yet, or it is `collab chat`, which takes none.
      await clock.sleep(beginMs);
    }
    return 'nothing_runs';
  }

  /** `freed` settles when the conversation of a run that waited is free; null if the run ends by itself. */
  async function cancelHere(
    place: ConversationPlace,
    runId: string | null,
  ): Promise<{ readonly answer: Cancelled; readonly freed: Promise<void> | null }> {
    const holder = held.holder(place);
    if (holder === undefined || holder.hasEnded) return { answer: 'nothing_runs', freed: null };
    const { run } = holder;
    if (runId !== null && run?.run_id !== runId) return { answer: 'another_runs', freed: null };
    if (run === null) {
      holder.stop.abort(new Error('cancelled'));
      return { answer: 'asked', freed: null };
    }
    const found = runAt(place, run);
    // Before its first record, a run has no owner to ask, and its lock must stay free for the one that is about to take it.
    while (holder.driving !== null && (await engine.ends(found)) === null) await clock.sleep(beginMs);
    if (held.holder(place) !== holder || holder.hasEnded) return { answer: 'nothing_runs', freed: null };
    const how = await engine.cancel(found);
    return { answer: 'asked', freed: how === 'ended' ? finish(holder, run) : null };
  }

  async function recover(): Promise<void> {
    const unfinished = conversations.all().flatMap((conversation) => {
      const run = conversation.runs.find(({ state }) => state !== 'ended');
      const place = conversations.place(conversation.tenant_id, conversation.conversation_id);
      return run === undefined ? [] : [{ place, run }];
    });
    for (const { place, run } of unfinished) await takeUp(place, run).catch(onFault);
  }

  async function takeUp(place: ConversationPlace, run: ServedRun): Promise<void> {
    // Another server drives it.
    const holder = await held.hold(place).catch(nullWhenLocked);
    if (holder === null) return;
    holder.run = run;
    const state = await stateOf(engine, runAt(place, run));
    if (state === 'ended') return finish(holder, run);
    if (!tokens.isValid(run.token)) return void (await cancel(place, run.run_id));
    if (state === 'waiting') {
      holder.unwatch = watchToken(place, run);
      return wait(holder, run);
    }
    if (run.starts > mostRestarts)
      return fail(holder, run, new CollabError('internal', orphanedMessage), 'orphaned');
    const again = { ...run, state: 'running', starts: run.starts + 1 } as const;
    mark(place, again);
    launch(holder, again);
  }

  return {
    begin,
    stream: async (place, runId) => served.find(place, runId),
    newest: async (place) => conversations.read(place)?.runs.at(-1)?.run_id ?? null,
    start,
    over: (place, runId) => held.over(place, runId),
    goOn,
    cancel,
    recover,
    async stop() {
      stopping.abort(new Error('the server stops'));
      await Promise.all(held.all().flatMap(({ driving }) => driving ?? []));
      for (const holder of held.all()) await held.letGo(holder);
    },
  };
}

const refusedCancels = ['nothing_runs', 'another_runs'] as const;
type Cancelled = 'asked' | (typeof refusedCancels)[number];

const fullMessage = 'The context of this conversation is full; start a new one.';
const leaseMessage = 'The turn exceeded its time limit and did not stop on request.';
const orphanedMessage = 'The run was interrupted by a third restart of the server; start it again.';

function runAt(place: ConversationPlace, run: ServedRun): RunFolder {
  return { runId: run.run_id, path: runFolderOf(place, run) };
}

async function stateOf(engine: Engine, run: RunFolder): Promise<'ended' | 'waiting' | 'running'> {
  try {
    const { state } = await engine.status(run);
    return state === 'interrupted' ? 'running' : state;
  } catch (error) {
    // It was killed before it had a folder.
    if (error instanceof CollabError && error.code === 'run_not_found') return 'running';
    throw error;
  }
}
