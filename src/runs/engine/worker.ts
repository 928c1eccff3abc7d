/**
 * A worker: takes submitted runs and drives them, as many at once as it may. A run that the worker leaves, by its end, a
 * question, an order to drain or a fault, has its place in the queue or its result; one whose worker is gone is taken over.
 */
import { isOutOfReach } from '../../engine/postgres/connect.ts';
import { createCallLedger } from '../../engine/postgres/call-rows.ts';
import { createRowDispatcher } from '../../engine/postgres/row-dispatcher.ts';
import type { RunRow } from '../../engine/postgres/run-rows.ts';
import type { Dispatcher, Task, TaskDeparture } from '../../engine/store/dispatcher.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { Clock } from '../../system/clock.ts';
import { nap } from '../../system/nap.ts';
import { continueRun } from '../continue-run.ts';
import { removeDeadCopies } from '../folder/dead-copies.ts';
import type { OpenedRun } from '../folder/opened-run.ts';
import type { DatabaseEngine } from './database-engine.ts';
import { inputProtocol } from './portable-input.ts';
import { withScratchRun } from './scratch-run.ts';

export interface WorkerOptions {
  readonly engine: DatabaseEngine;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** This machine's own settings of providers, by `<provider>.<key>`. */
  readonly providerSettings: Readonly<Record<string, string>>;
  /** The most runs at once. */
  readonly runs: number;
  readonly kinds: readonly string[];
  /** Takes only runs that ask no other providers; null: any. */
  readonly providers: readonly string[] | null;
  /** Takes no more runs once it fires; those that it drives continue to their end. */
  readonly drain: AbortSignal;
  /** Returns the runs that it drives to the queue once it fires. */
  readonly stop: AbortSignal;
  readonly onNews: (news: WorkerNews) => void;
}

export type WorkerNews =
  | { readonly kind: 'taken'; readonly runId: string; readonly again: boolean }
  | { readonly kind: 'left'; readonly runId: string; readonly how: string };

/** A run that ends so many drives without a word, or with a fault, has failed. */
const mostLost = 3;
/** Between two looks for a run. */
const lookMs = 250;
const retryMs = 1000;

/** Resolves when it has drained, or with `lost` if others have its runs, since it lost the database for too long. */
export async function work(options: WorkerOptions): Promise<'drained' | 'lost'> {
  const { engine, drain, stop } = options;
  const { lost } = engine.store;
  const dispatcher = createRowDispatcher(engine.store);
  const stopped = AbortSignal.any([stop, lost]);
  const ended = AbortSignal.any([drain, stopped]);
  const driving = new Map<string, Promise<void>>();
  const cleaning = removeDeadCopies(options);
  /** A drive that ends makes room for the next run at once. */
  let room = new AbortController();
  ended.addEventListener('abort', () => room.abort(), { once: true });
  while (!ended.aborted) {
    const task =
      driving.size < options.runs ? await takeTask(dispatcher, options, [...driving.keys()]) : null;
    if (task === null) {
      await nap(lookMs, room.signal);
      if (room.signal.aborted) room = new AbortController();
      continue;
    }
    const drive = driveTask(task, { ...options, dispatcher, stopped }).finally(() => {
      driving.delete(task.runId);
      room.abort();
    });
    driving.set(task.runId, drive);
  }
  await Promise.all([cleaning, ...driving.values()]);
  return lost.aborted ? 'lost' : 'drained';
}

/** A database that is out of reach may come back: whether the worker gives up is decided by its signs of life. */
async function takeTask(
  dispatcher: Dispatcher,
  { engine, kinds, providers }: WorkerOptions,
  driving: readonly string[],
): Promise<Task | null> {
  try {
    return await dispatcher.take({ kinds, providers, protocol: inputProtocol, driving });
  } catch (error) {
    if (isOutOfReach(error) || engine.store.lost.aborted) return null;
    throw error;
  }
}

interface Driving extends WorkerOptions {
  readonly dispatcher: Dispatcher;
  readonly stopped: AbortSignal;
}

async function driveTask(task: Task, options: Driving): Promise<void> {
  const { dispatcher, engine, onNews } = options;
  const { runId } = task;
  onNews({ kind: 'taken', runId, again: task.lost > 0 });
  let how: string;
  try {
    how = await driveAndLeave(task, options);
  } catch (error) {
    // Others have the run, or this process has it still: the next look finds it.
    if (engine.store.lost.aborted || isOutOfReach(error)) how = 'the database is out of reach';
    else {
      how = error instanceof Error ? error.message : String(error);
      const departure = departureOf(error, how);
      await dispatcher.leave(runId, departure).catch(() => undefined);
    }
  }
  onNews({ kind: 'left', runId, how });
}

function inOtherHands(): CollabError {
  return new CollabError('locked', 'Another process has the run');
}

/** A run in another hand, as that of a person who cancels it, is no fault of the run. */
function departureOf(error: unknown, message: string): TaskDeparture {
  const isLocked = error instanceof CollabError && error.code === 'locked';
  return isLocked ? { kind: 'queued', afterMs: retryMs } : { kind: 'fault', message, afterMs: retryMs };
}

async function driveAndLeave({ runId, lost, fault }: Task, options: Driving): Promise<string> {
  const { dispatcher, engine } = options;
  const row = await engine.rows.find(runId);
  if (row === null) return 'is removed';
  if ((await engine.hasResult(runId)) || (await engine.settle(row))) {
    await dispatcher.leave(runId, { kind: 'done' });
    return 'had ended';
  }
  if (row.cancelAsked) return cancelTaken(runId, options);
  if (lost >= mostLost) {
    const message = `The run ended its process ${lost} times${fault === null ? '' : `: ${fault}`}`;
    await fail(row, message, engine);
    return `failed: ${message}`;
  }
  const { env, providerSettings } = options;
  const made = () => engine.made({ runId, path: runId });
  const scratch = { env, providerSettings, trees: engine.trees, made };
  return withScratchRun(row, scratch, (run) => driveScratch(run, row, options));
}

/** Ends a run whose last owner was asked to cancel it and is gone. */
async function cancelTaken(runId: string, { dispatcher, engine }: Driving): Promise<string> {
  const how = await engine.cancel({ runId, path: runId });
  if (how === 'asked') throw inOtherHands();
  await dispatcher.leave(runId, { kind: 'done' });
  return 'is canceled';
}

/** An input that cannot be read has no result. */
async function fail(row: RunRow, message: string, engine: DatabaseEngine): Promise<void> {
  try {
    if (await engine.fail(row, message)) return;
  } catch (error) {
    if (isOutOfReach(error)) throw error;
    return engine.rows.finish(row.runId);
  }
  throw inOtherHands();
}

async function driveScratch(run: OpenedRun, row: RunRow, options: Driving): Promise<string> {
  const { dispatcher, engine, clock, env, stopped } = options;
  const { store } = engine;
  const { runId, path } = run;
  const ends = await store.ends(runId);
  let seq = ends?.last.seq ?? 0;
  const departure = await continueRun({
    runId,
    runFolder: path,
    opened: run,
    store,
    begun: ends !== null,
    env,
    clock,
    signal: stopped,
    where: { tenantId: row.tenant, conversationId: row.conversation },
    ledger: createCallLedger(store, row),
    onEvent: (event) => (seq = event.seq),
    // The run is still ours: nothing else writes its result.
    onResult: (result) => engine.storeResult(runId, result),
  });
  switch (departure.kind) {
    case 'settled':
      await dispatcher.leave(runId, { kind: 'done' });
      return `ended: ${departure.result.outcome ?? 'failed'}`;
    case 'suspended':
      await dispatcher.leave(runId, { kind: 'asking', seq });
      return 'waits for an answer';
    case 'interrupted':
      // Another process has a run that is lost, and its place in the queue.
      if (departure.reason === 'signal') await dispatcher.leave(runId, { kind: 'queued' });
      return departure.reason === 'signal' ? 'is back in the queue' : 'is taken over by another process';
  }
}
