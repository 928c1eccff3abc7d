/** One round: reviews, a conversation of consults, readers, one fault, and whether everything is as without it. */
import { expect } from 'vitest';
import { collabEventSchema, type CollabEvent } from '../../src/events/collab-event.ts';
import { checkLaws } from '../../src/events/laws.ts';
import { isGoneSql } from '../../src/engine/postgres/presence.ts';
import { probeDatabase } from '../../src/engine/postgres/probe.ts';
import { systemClock } from '../../src/system/clock.ts';
import { parseJson } from '../../src/text/parse-json.ts';
import type { PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { converse } from './conversation.ts';
import { expectNothingAfterItsLoss, strike } from './faults.ts';
import type { ServerMember } from './fleet.ts';
import type { RoundPlan } from './plan.ts';
import { createProgress, type Progress } from './progress.ts';
import { readRun, readServed, readServedRecords } from './reader.ts';
import {
  answerOnceAsked,
  endOf,
  essenceOf,
  questionsOf,
  commandOf,
  startAgain,
  submitAgain,
  writeScript,
  type Chaos,
  type Kind,
  type Reference,
  type PlayedRun,
  type TurnKind,
} from './runs.ts';

export interface RoundOptions extends Chaos {
  readonly cluster: PostgresCluster;
  readonly plan: RoundPlan;
  readonly references: readonly Reference<Kind>[];
  /** The turns of an undisturbed conversation. */
  readonly turns: readonly Reference<TurnKind>[];
}

export async function playRound(options: RoundOptions): Promise<void> {
  const { plan, turns } = options;
  const submitted = await submitRuns(options);
  // The turns of the conversation follow.
  const runs = [...submitted];
  const expected = [...submitted.map(({ reference }) => reference), ...turns.slice(0, -1)];
  const progress = createProgress(expected.length);
  const moreRecords = (count: number): Promise<void> => progress.reached(progress.so() + count);
  const records = expected.reduce((sum, reference) => sum + reference.records, 0);
  const moment = progress.reached(Math.round((plan.moment * records) / 100));
  const read = new Map<PlayedRun, Readings>();
  const attend = async (run: PlayedRun): Promise<void> => {
    const [readings] = await Promise.all([readAll(options, run, progress), answerAll(options, run)]);
    read.set(run, readings);
  };
  const striking = moment.then(() => strike({ ...options, runs, moreRecords }));
  const conversation = { name: `round-${plan.round}`, references: turns };
  const [lost] = await Promise.all([
    striking,
    follow(options),
    converse(options, conversation, async (turn) => {
      runs.push(turn);
      await attend(turn);
      // The last turn shows that the conversation goes on after the fault.
      if (turn.reference === turns.at(-2)) await striking;
    }),
    ...submitted.map(attend),
  ]);
  // A reader ends with the last record, and the result follows it.
  await expectOrder(options, runs);
  for (const run of runs) await expectUndisturbed(options, run, read.get(run));
  await expectSameStreams(options, runs, read);
  for (const run of lost) expectNothingAfterItsLoss(run);
}

/** Three kinds, and a review that a server starts. */
async function submitRuns(options: RoundOptions): Promise<readonly PlayedRun[]> {
  const { plan, references } = options;
  const left = plan.hasPhases ? 'plain' : 'phases';
  const [reference] = references;
  if (reference === undefined) throw new Error('there is no undisturbed review');
  const name = `round-${plan.round}`;
  return Promise.all([
    ...references
      .filter(({ kind }) => kind !== left)
      .map((one) => submitAgain(options, one, `${name}-${one.kind}`)),
    startAgain(options, { reference, conversation: `${name}-served`, server: otherServer(options) }),
  ]);
}

/** A server that the fault of the round does not strike alone. */
function otherServer({ fleet, plan }: RoundOptions): ServerMember {
  const server = fleet.servers[(plan.server + 1) % fleet.servers.length];
  if (server === undefined) throw new Error('there is no server');
  return server;
}

async function answerAll(options: RoundOptions, run: PlayedRun): Promise<void> {
  for (let asked = 0; asked < questionsOf[run.reference.kind]; asked += 1)
    await answerOnceAsked(options, run, answererOf(options));
}

function answererOf(options: RoundOptions): 'command' | ServerMember {
  return options.plan.answerBy === 'command' ? 'command' : otherServer(options);
}

interface Readings {
  /** The records of each reader. */
  readonly records: readonly (readonly string[])[];
  /** The digests of what readers of the conversation's stream got. */
  readonly streams: readonly string[];
}

/** Seven readers of a run: three here, and four at the servers, each of which begins at another one. */
async function readAll(
  { engine, fleet, plan }: RoundOptions,
  { run, conversation }: PlayedRun,
  progress: Progress,
): Promise<Readings> {
  const { leaveAfter } = plan;
  const here = Promise.all([
    readRun(engine, { run, leaveAfter: [], onLine: progress.count }),
    readRun(engine, { run, leaveAfter }),
    readRun(engine, { run, leaveAfter: leaveAfter.slice(1) }),
  ]).finally(progress.end);
  const orders = [fleet.servers, fleet.servers.toReversed()];
  const bytes = leaveAfter.map((records) => records * bytesOfRecord);
  const [own, served, streams] = await Promise.all([
    here,
    Promise.all(orders.map((servers) => readServedRecords(servers, { conversation, runId: run.runId }))),
    Promise.all(orders.map((servers) => readServed(servers, { conversation, leaveAfter: bytes }))),
  ]);
  return { records: [...own, ...served], streams };
}

/** About. */
const bytesOfRecord = 300;

/** A person's command submits a review and follows it to its end; it is repeated if it could not submit. */
async function follow(options: RoundOptions): Promise<void> {
  const { place, env, plan, references } = options;
  const reference = references.find(({ kind }) => kind === 'wide');
  const script = writeScript(options, `round-${plan.round}-followed.yaml`, 'wide');
  for (;;) {
    const followed = await place.collab([...commandOf(script, 'wide'), '--format', 'json'], { env });
    if (followed.code === 4 && !followed.stderr.includes('is submitted')) continue;
    expect(followed).toMatchObject({ code: reference?.essence.exit_code });
    expect({ ...endOf(JSON.parse(followed.stdout)), tree: null, earlier: [] }).toEqual(reference?.essence);
    return;
  }
}

async function expectUndisturbed(
  chaos: Chaos,
  { run, script, reference }: PlayedRun,
  readings: Readings | undefined,
): Promise<void> {
  const { engine, fleet } = chaos;
  expect(await essenceOf(chaos, run)).toEqual(reference.essence);
  const records = await engine.records(run);
  expect(checkLaws(records)).toEqual([]);
  const lines = records.map((record) => JSON.stringify(record));
  for (const reading of readings?.records ?? []) expect(reading.map(reread)).toEqual(lines);
  expectCallsOfRecords(fleet.calls(script), records);
}

/** A later reader of a conversation gets its newest run, and the same as those before. */
async function expectSameStreams(
  { fleet }: Chaos,
  runs: readonly PlayedRun[],
  read: ReadonlyMap<PlayedRun, Readings>,
): Promise<void> {
  const newest = new Map(runs.map((run) => [run.conversation, run]));
  for (const run of runs) {
    const { conversation } = run;
    const isNewest = newest.get(conversation) === run;
    const again = isNewest
      ? fleet.servers.map((server) => readServed([server], { conversation, leaveAfter: [] }))
      : [];
    const streams = [...(await Promise.all(again)), ...(read.get(run)?.streams ?? [])];
    expect(new Set(streams).size).toBe(1);
  }
}

/** A call has a begun attempt, is made once, and not after its answer was recorded. */
function expectCallsOfRecords(calls: readonly string[], records: readonly CollabEvent[]): void {
  expect(calls.toSorted()).toEqual([...new Set(calls)].toSorted());
  const begun = records.flatMap((event) =>
    event.type === 'step.begun' ? [`${event.step}/${event.attempt}`] : [],
  );
  expect(begun.map(callOf)).toEqual(
    expect.arrayContaining(calls.map((call) => call.replace(/^[a-z]+_/, ''))),
  );
  expect(new Set(begun).size).toBe(begun.length);
  for (const event of records) {
    if (event.type !== 'step.ended') continue;
    const later = begun.filter((attempt) => attempt.startsWith(`${event.step}/`)).length;
    expect({ step: event.step, attempts: later }).toEqual({ step: event.step, attempts: event.attempt });
  }
}

/**
 * The attempt `review/chunk-2/turn-1/1` makes the call `chunk-2/1/1`, which is `ex_chunk-2/1/1` of the advisor,
 * `design/consult/turn-1/1` of a consult makes `consult/1/1`, and `design/1/settle/turn-1/1` makes `design-1-settle/1/1`.
 */
function callOf(attempt: string): string {
  const [, path = '', turn, number] = /^(.*)\/turn-(\d+)\/(\d+)$/.exec(attempt) ?? [];
  return `${path.replace(/^review\/(?=chunk-)|^design\/(?=consult$)/, '').replaceAll('/', '-')}/${turn}/${number}`;
}

/** Nothing is left in the queue, no process that lives has a run, and `collab engine check` would find no fault. */
async function expectOrder({ engine, env }: Chaos, runs: readonly PlayedRun[]): Promise<void> {
  const ids = runs.map(({ run }) => run.runId);
  const open = () =>
    engine.store.pool
      .query(
        // A process that was killed after the end of a run stays its owner, until its row is cleaned.
        `select run.id, task.state, run.owner from collab.run join collab.task on task.run_id = run.id
         left join collab.process on process.number = run.owner
         where run.id = any($1) and (task.state <> 'done' or run.owner is not null and not ${isGoneSql})`,
        [ids],
      )
      .then(({ rows }) => rows);
  await expect.poll(open, { timeout: 60_000 }).toEqual([]);
  await probeDatabase(env['COLLAB_ENGINE'] ?? '', systemClock);
}

function reread(line: string): string {
  return JSON.stringify(collabEventSchema.parse(parseJson(line)));
}
