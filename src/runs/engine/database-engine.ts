/** The engine over PostgreSQL: runs that any number of machines submit, drive, follow, answer and cancel. */
import { answerRun, failRun, noteRefusal, requestCancel } from '../../engine/drive/other-process.ts';
import { createMemory, waitingQuestions, type RunMemory } from '../../engine/drive/run-state.ts';
import type { JournalLine } from '../../engine/journal/journal-line.ts';
import type { RunEnvelope } from '../../engine/journal/journal.ts';
import { collectRecords } from '../../engine/journal/recorded-events.ts';
import type { RunStatus } from '../../engine/port.ts';
import { checkReach, lostDatabase } from '../../engine/postgres/connect.ts';
import { migrateDatabase } from '../../engine/postgres/migrate.ts';
import { openPostgresStore, type PostgresStore } from '../../engine/postgres/postgres-store.ts';
import { noRun } from '../../engine/postgres/read-rows.ts';
import { createRowNumbers, type RowNumbers } from '../../engine/postgres/row-numbers.ts';
import { createRunRows, type ListedRow, type RunRow, type RunRows } from '../../engine/postgres/run-rows.ts';
import type { TaskState } from '../../engine/store/dispatcher.ts';
import { createTreeRows, type TreeRows } from '../../engine/postgres/tree-rows.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { localTenant } from '../../access/speaker.ts';
import { readPackedFile, withPackedFolder } from '../../git/review-folder/pack-folder.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { takeCopy, type LaterState } from '../../git/working-copy/travel.ts';
import type { Clock } from '../../system/clock.ts';
import { nap } from '../../system/nap.ts';
import { sha256 } from '../../text/digest.ts';
import { parseJson } from '../../text/parse-json.ts';
import { describeFacts, describeUnreadable, listedRunSchema, type ListedRun } from '../folder/listed-run.ts';
import { openRun, type OpenedRun } from '../folder/opened-run.ts';
import { runResultSchema, type RunResult } from '../folder/result-file.ts';
import { chooseRun, plainId, type RunFolder } from '../folder/run-folder.ts';
import type { RunInput } from '../folder/run-input.ts';
import { isUnreadable, type RunStanding } from '../folder/run-status.ts';
import { loadKind } from '../kinds.ts';
import { keptTextIn } from '../review/kept-text.ts';
import type { KnownRun } from '../run-kind.ts';
import { readKept } from '../workflow/kept-states.ts';
import type { Engine, NewRun } from './engine.ts';
import { recordsOfRun } from './open-engine.ts';
import {
  filesOf,
  inputProtocol,
  inputToSubmit,
  parsePortable,
  portableIfReadable,
  providersOf,
  writePortable,
  type SubmittedInput,
} from './portable-input.ts';
import { baseOf, readParts, withScratchRun } from './scratch-run.ts';

export interface DatabaseOptions {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Creates the tables, or brings them up to date. */
  readonly migrates?: boolean;
}

/** The engine and what a worker needs beside it. */
export interface DatabaseEngine extends Engine {
  readonly store: PostgresStore;
  readonly rows: RunRows;
  readonly trees: TreeRows;
  readonly numbers: RowNumbers;
  /** Returns the states that a run of phases has made of its copy. */
  made(run: RunFolder): Promise<readonly LaterState[]>;
  /** Ends a run that no process can continue: its records and its result say why. Returns false if a process has it. */
  fail(row: RunRow, message: string): Promise<boolean>;
  /** Writes the result of a run whose records ended without one; false if a drive has to find it. */
  settle(row: RunRow): Promise<boolean>;
  /** Stores the result of a run; the first one is kept. */
  storeResult(runId: string, result: RunResult): Promise<void>;
  hasResult(runId: string): Promise<boolean>;
}

/** The name of the result among the files of a run. */
const resultName = 'result.json';

/** A follower that has read everything looks this often whether the run has ended without a last record. */
const lookMs = 250;

/** The caller closes it. @throws CollabError `config`, `network` */
export async function openDatabaseEngine(url: string, options: DatabaseOptions): Promise<DatabaseEngine> {
  if (options.migrates === true) await migrateDatabase(url);
  const store = await openPostgresStore(url);
  return createDatabaseEngine(store, options);
}

function createDatabaseEngine(store: PostgresStore, { clock, env }: DatabaseOptions): DatabaseEngine {
  const { pool } = store;
  const rows = createRunRows(pool);
  const trees = createTreeRows(pool);
  const outside = ({ runId }: RunFolder) => ({ runFolder: runId, clock, store });
  const rowOf = async ({ runId }: RunFolder): Promise<RunRow> =>
    (await rows.find(runId)) ?? raise(noRun(runId));

  async function resultOf({ runId }: RunFolder): Promise<RunResult | null> {
    const text = await rows.file(runId, resultName);
    if (text === null) return null;
    const read = runResultSchema.safeParse(parseJson(text));
    if (read.success) return read.data;
    throw new CollabError('result_file', `The result of ${runId} in the database cannot be read`, {
      cause: read.error,
    });
  }

  async function storeResult(runId: string, result: RunResult): Promise<void> {
    const { input } = await rowOf(folderOf(runId));
    const listed = describeFacts({ runId, state: 'ended', result, input: portableIfReadable(input) });
    const facts = { listed: JSON.stringify(listed), outcome: listed.outcome ?? '' };
    await rows.putFile(runId, resultName, JSON.stringify(result, null, 2), facts);
  }

  const memoryOf = (runId: string): Promise<RunMemory> => store.recall(runId).catch(neverDriven);

  /** The state was read before the records: what a later record says, a later look sees. */
  async function standingOf(runId: string, state: TaskState): Promise<RunStanding> {
    const memory = await memoryOf(runId);
    const { questions, ended } = memory;
    const open = ended === null ? waitingQuestions(memory).map(({ asked }) => asked) : [];
    return { state: statusOf(state, open.length), questions, open, ended };
  }

  async function stateOf({ runId }: RunFolder): Promise<TaskState> {
    return (await rows.state(runId)) ?? raise(noRun(runId));
  }

  /** Ends a run that no process drives; the result is stored before its place in the queue is given up. */
  async function end(
    row: RunRow,
    resultFrom: (known: KnownRun<RunInput>) => Promise<RunResult>,
  ): Promise<void> {
    await withScratchRun(row, { env, trees: null }, async ({ runId, path, input }) => {
      const recorded = collectRecords(path);
      recorded.begin(await recordsOfRun(store, folderOf(runId), clock));
      const known = { input, runId, runFolder: path, clock, recorded };
      const result = await resultFrom({ ...known, met: { advisor: null, lead: null } });
      await storeResult(runId, result);
    });
    await rows.finish(row.runId);
  }

  const engine: DatabaseEngine = {
    store,
    rows,
    trees,
    numbers: createRowNumbers(pool),
    async start(_home, { runId, input, owner, repository = null, priority = 'person', signal }) {
      const submitted = inputToSubmit(input);
      const stored = await storeFiles(trees, { runId, input: submitted, signal }, env);
      signal?.throwIfAborted();
      const text = writePortable(submitted, stored?.tree ?? null);
      const facts = { runId, state: 'queued', result: null, input: portableIfReadable(text) };
      await rows.create({
        runId,
        tenant: owner?.tenant ?? localTenant,
        conversation: owner?.conversation ?? (submitted.kind === 'consult' ? submitted.conversation : runId),
        repository,
        token: owner?.token ?? null,
        kind: submitted.kind,
        priority,
        providers: providersOf(submitted),
        protocol: inputProtocol,
        input: text,
        tree: stored?.id ?? null,
        listed: JSON.stringify(describeFacts(facts)),
      });
      return folderOf(runId);
    },
    list: async () => (await rows.list(localTenant)).map(folderOf),
    async find(_home, wanted = 'latest') {
      const { runId } = findAmong((await rows.list(localTenant)).map(folderOf), wanted);
      const { input } = await rowOf(folderOf(plainId(runId)));
      return openSubmitted(runId, input);
    },
    async conversation(_home, run) {
      const { tenant, conversation: id } = await rowOf(run);
      const owned = await rows.ownedBy(tenant, id);
      return { id, runs: owned.map(({ runId }) => folderOf(runId)).toReversed() };
    },
    async describeAll() {
      const described = (await rows.listed(localTenant)).map(
        async (row) => describeListedRow(row) ?? describeAny(engine, folderOf(row.runId)),
      );
      return (await Promise.all(described)).filter((run) => run !== null);
    },
    async describe(run) {
      const row = await rowOf(run);
      // Only a run that asks can wait: the records of the others are not read.
      const isAsking = row.state === 'asking';
      const state = isAsking ? (await standingOf(run.runId, row.state)).state : statusOf(row.state, 0);
      // The result is stored before the state says that the run has ended.
      const result = await resultOf(run);
      const shown = row.state === 'queued' ? 'queued' : state;
      return describeFacts({ runId: run.runId, state: shown, result, input: portableIfReadable(row.input) });
    },
    status: async (run) => standingOf(run.runId, await stateOf(run)),
    isDriven: ({ runId }) => store.isOwned(runId),
    ends: ({ runId }) => store.ends(runId),
    records: ({ runId }) => recordsOfRun(store, folderOf(runId), clock),
    events: (run, after, signal) => followRows({ store, rows, clock }, run, { after, signal }),
    text: ({ runId }, name) => store.text(runId, name),
    result: resultOf,
    input: async (run) => portableIfReadable((await rowOf(run)).input),
    async keptText(run, path) {
      const { input, tree } = await rowOf(run);
      const review = portableIfReadable(input);
      if (review?.kind !== 'review') return null;
      return keptTextIn({ input: review, path }, async () =>
        tree === null ? null : readPackedFile(trees.get(tree), path),
      );
    },
    async storedCopy(run) {
      const { input, tree } = await rowOf(run);
      const { kind } = parsePortable(input);
      if (tree === null || kind !== 'workflow') throw noEdits(run, kind);
      return { sent: await readParts(trees.get(tree)), made: await engine.made(run) };
    },
    answer: (run, answer) => answerRun({ ...outside(run), ...answer }),
    refuse: (run, message) => noteRefusal(outside(run), message),
    async cancel(run) {
      const row = await rowOf(run);
      if ((await resultOf(run)) !== null) return 'ended';
      // Its owner may be killed before it has ended the run.
      await rows.askCancel(run.runId);
      const how = await requestCancel({ ...outside(run), envelope: envelopeOfRow(row) });
      if (how === 'ended') await engine.settle(row);
      return how;
    },
    async fail(row, message) {
      const failed = { envelope: envelopeOfRow(row), kind: 'internal' as const, message };
      if (!(await failRun({ ...outside(folderOf(row.runId)), ...failed }))) return false;
      // A run that had ended keeps its end, although no drive could write its result.
      if (!(await engine.settle(row))) await rows.finish(row.runId);
      return true;
    },
    async settle(row) {
      const { ended } = await memoryOf(row.runId);
      // A drive finds the result that its records have: a consult that settled has no outcome, either.
      if (ended === null || ended.outcome !== null || ended.status === 'success') return false;
      const [message] = ended.errors;
      await end(row, async (known) => {
        const kind = await loadKind(known.input);
        return message === undefined ? kind.cancelled(known) : kind.failed(known, message);
      });
      return true;
    },
    async made(run) {
      if ((await engine.ends(run)) === null) return [];
      return readKept(await engine.records(run), (name) => engine.text(run, name));
    },
    storeResult,
    hasResult: async (runId) => (await rows.file(runId, resultName)) !== null,
    async untilFree(run, signal) {
      for (;;) {
        const state = await stateOf(run);
        if (state === 'done') return 'free';
        if (state === 'asking' && (await standingOf(run.runId, state)).state === 'waiting') return 'free';
        if (signal.aborted) return 'still_driven';
        await nap(lookMs, signal);
      }
    },
    async ready() {
      if (store.lost.aborted) throw lostDatabase();
      await checkReach(pool);
    },
    close: () => store.close(),
  };
  return engine;
}

/**
 * Returns null if the facts of the row do not say everything: it asks, so that its records say whether it waits; its result and
 * its state say different things; or another version wrote them.
 */
function describeListedRow({ state, listed }: ListedRow): ListedRun | null {
  if (listed === null || state === 'asking') return null;
  const { success, data } = listedRunSchema.safeParse(parseJson(listed));
  if (!success || (data.state === 'ended') !== (state === 'done')) return null;
  return { ...data, state: state === 'queued' ? 'queued' : statusOf(state, 0) };
}

/** Also describes a run that cannot be read; returns null for one that was removed meanwhile. */
async function describeAny(engine: Pick<Engine, 'describe'>, run: RunFolder): Promise<ListedRun | null> {
  try {
    return await engine.describe(run);
  } catch (error) {
    if (error instanceof CollabError && error.code === 'run_not_found') return null;
    if (!isUnreadable(error)) throw error;
    return describeUnreadable(run.runId, null);
  }
}

interface FollowedStore {
  readonly store: PostgresStore;
  readonly rows: RunRows;
  readonly clock: Clock;
}

interface FollowedPart {
  readonly after: number;
  readonly signal: AbortSignal;
}

/** Ends after the last record, or when the run is done without one. */
async function* followRows(
  { store, rows, clock }: FollowedStore,
  { runId }: RunFolder,
  { after, signal }: FollowedPart,
): AsyncGenerator<readonly JournalLine[]> {
  const records = store.read(runId, clock);
  try {
    while (!signal.aborted) {
      const read = await records.next();
      const isOver = read.length === 0 && isOverIn(await rows.state(runId));
      // Records written after the last read.
      const lines = isOver ? await records.next() : read;
      if (isOver && lines.length === 0) return;
      const unseen = lines.filter(({ event }) => event.seq > after);
      if (lines.length === 0 || unseen.length > 0) yield unseen;
      if (lines.at(-1)?.event.type === 'run.ended') return;
      if (lines.length === 0) await records.change(signal);
    }
  } finally {
    await records.close();
  }
}

async function storeFiles(
  trees: TreeRows,
  {
    runId,
    input,
    signal,
  }: Pick<NewRun, 'runId'> & {
    readonly input: SubmittedInput;
    readonly signal: AbortSignal | undefined;
  },
  env: DatabaseOptions['env'],
): Promise<{ readonly id: string; readonly tree: string } | null> {
  if (input.kind === 'workflow') {
    const bytes = await takeCopy({ cwd: input.cwd, runId, env, ...(signal === undefined ? {} : { signal }) });
    const id = sha256(bytes);
    await trees.put(id, partsOf(bytes));
    return { id, tree: id };
  }
  const files = filesOf(input);
  if (files === null) return null;
  const changedPaths =
    input.kind === 'review' ? parseUnifiedDiff(input.change.diff).files.map(({ path }) => path) : [];
  const options = { ...files, tree: files.tree ?? null, base: baseOf(env), changedPaths, env };
  return withPackedFolder(options, async ({ id, tree, parts }) => {
    await trees.put(id, parts());
    return { id, tree };
  });
}

const partBytes = 4 * 1024 * 1024;

async function* partsOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

function noEdits({ runId }: RunFolder, kind: RunInput['kind']): CollabError {
  return new CollabError('input', `${runId} is a ${kind}, which has no edits to apply`);
}

/** A run in the database has no folder: its id stands for it. */
function folderOf(runId: string): RunFolder {
  return { runId, path: runId };
}

function openSubmitted(runId: string, input: string): OpenedRun {
  return openRun(folderOf(runId), { input: parsePortable(input) });
}

function envelopeOfRow({ runId, tenant, conversation, input }: RunRow): RunEnvelope {
  const { kind, advisor, lead } = parsePortable(input);
  const role = kind === 'workflow' ? 'lead' : 'advisor';
  const { provider } = role === 'lead' && lead !== null ? lead : advisor;
  return { runId, tenantId: tenant, conversationId: conversation, agent: { id: role, role, provider } };
}

/** A run that was removed is over, too. */
function isOverIn(state: TaskState | null): boolean {
  return state === null || state === 'done';
}

/** A run whose process is gone is taken over: it is never interrupted. */
function statusOf(state: TaskState, openQuestions: number): RunStatus {
  if (state === 'done') return 'ended';
  return state === 'asking' && openQuestions > 0 ? 'waiting' : 'running';
}

function neverDriven(error: unknown): RunMemory {
  if (error instanceof CollabError && error.code === 'run_not_found') return createMemory();
  throw error;
}

function findAmong(runs: readonly RunFolder[], wanted: string): RunFolder {
  if (runs.length === 0)
    throw new CollabError('run_not_found', 'The database holds no submitted run', {
      hint: 'collab review --remote submits one.',
    });
  return chooseRun(runs, wanted, 'collab runs --remote lists them.');
}

function raise(error: CollabError): never {
  throw error;
}
