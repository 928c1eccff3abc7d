/** One fault of a round: it strikes, and what it broke is there again. */
import { expect } from 'vitest';
import type { PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { callsOf, type Member } from './fleet.ts';
import type { RoundPlan } from './plan.ts';
import type { Chaos, PlayedRun } from './runs.ts';
import { heldBy, type OwnedRun } from './takeovers.ts';

export interface Struck extends Chaos {
  readonly cluster: PostgresCluster;
  readonly plan: RoundPlan;
  readonly runs: readonly PlayedRun[];
  /** Resolves after so many more records, or when all runs have ended. */
  readonly moreRecords: (count: number) => Promise<void>;
}

/** The calls that a worker had begun for a run when it lost it: it may begin no more. */
export interface LostRun {
  readonly worker: string;
  readonly runId: string;
  readonly calls: readonly string[];
  /** Its calls now; null if it took the run again in the meantime. */
  readonly callsNow: () => readonly string[] | null;
}

interface Victims {
  readonly worker: Member | null;
  readonly all: readonly Member[];
}

/** Resolves with the runs that a stopped worker had lost when it woke up. */
export async function strike(struck: Struck): Promise<readonly LostRun[]> {
  const { engine, fleet, plan } = struck;
  const victims = victimsOf(struck);
  switch (plan.fault) {
    case 'kill':
      await killAndRestart(struck, victims);
      return [];
    case 'stop':
      return stopForAWhile(struck, victims);
    case 'cut':
      for (const { way } of plan.isHard ? fleet.members : victims.all) way.cut();
      return [];
    case 'crash':
      await crash(struck);
      // The engine of the test has its connection again.
      await engine.list('');
      return [];
  }
}

function victimsOf({ fleet, plan }: Struck): Victims {
  const [worker, server] = [fleet.workers[plan.worker], fleet.servers[plan.server]];
  if (worker === undefined || server === undefined) throw new Error('there is no such member');
  switch (plan.target) {
    case 'worker':
      return { worker, all: [worker] };
    case 'server':
      return { worker: null, all: [server] };
    case 'both':
      return { worker, all: [worker, server] };
  }
}

async function killAndRestart({ engine, runs, takeovers }: Struck, victims: Victims): Promise<void> {
  const { worker, all } = victims;
  const killedAt = performance.now();
  for (const member of all) member.process().kill('SIGKILL');
  await Promise.all(all.map((member) => member.process().ended));
  // The owner in the database stays until another worker has the run.
  const held = worker === null ? [] : await heldBy(engine, idsOf(runs), worker);
  await Promise.all([takeovers.follow('death', killedAt, held), ...all.map((member) => member.start())]);
}

/** The database ends without a word, and a worker may die before it is back. */
async function crash({ cluster, fleet, plan }: Struck): Promise<void> {
  await cluster.stop('immediate');
  const dying = plan.isHard ? fleet.workers[plan.worker] : undefined;
  dying?.process().kill('SIGKILL');
  await dying?.process().ended;
  await cluster.start();
  await dying?.start();
}

/** Wakes them up soon, or after the worker has lost all of its runs. */
async function stopForAWhile(struck: Struck, { worker, all }: Victims): Promise<readonly LostRun[]> {
  const { engine, plan, moreRecords, runs, takeovers } = struck;
  const held = async (): Promise<readonly OwnedRun[]> =>
    worker === null ? [] : heldBy(engine, idsOf(runs), worker);
  const stoppedAt = performance.now();
  for (const member of all) member.process().kill('SIGSTOP');
  try {
    const before = await held();
    if (plan.isHard) await takeovers.follow('SIGSTOP', stoppedAt, before);
    await moreRecords(3);
    const kept = idsOfRuns(await held());
    return runs
      .filter(({ run: { runId } }) => idsOfRuns(before).includes(runId) && !kept.includes(runId))
      .flatMap((run) => (worker === null ? [] : [lostRun(worker, run)]));
  } finally {
    for (const member of all) member.process().kill('SIGCONT');
  }
}

function lostRun(victim: Member, { run, script }: PlayedRun): LostRun {
  const process = victim.process();
  const before = process.stderr().length;
  return {
    worker: victim.name,
    runId: run.runId,
    calls: callsOf(victim, script),
    callsNow() {
      const tookAgain = new RegExp(`takes (?:over )?${run.runId}`).test(process.stderr().slice(before));
      return tookAgain ? null : callsOf(victim, script);
    },
  };
}

export function expectNothingAfterItsLoss({ worker, runId, calls, callsNow }: LostRun): void {
  expect({ worker, runId, calls: callsNow() ?? calls }).toEqual({ worker, runId, calls });
}

function idsOf(runs: readonly PlayedRun[]): readonly string[] {
  return runs.map(({ run }) => run.runId);
}

function idsOfRuns(runs: readonly OwnedRun[]): readonly string[] {
  return runs.map(({ id }) => id);
}
