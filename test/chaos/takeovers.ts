/** Measures how long runs have no owner after their worker dies or stops. The times are printed, not asserted. */
import { expect } from 'vitest';
import type { DatabaseEngine } from '../../src/runs/engine/database-engine.ts';
import type { Member } from './fleet.ts';

export type Loss = 'death' | 'SIGSTOP';

export interface Takeovers {
  /** Notes when runs that a worker held at `lostAt` have another owner; resolves when all of them have. */
  follow(loss: Loss, lostAt: number, runs: readonly OwnedRun[]): Promise<void>;
  /** One line for each kind of loss. */
  report(): string;
}

export interface OwnedRun {
  readonly id: string;
  /** The number of its owner in the database. */
  readonly owner: number | null;
}

const lookMs = 20;

export function createTakeovers(engine: DatabaseEngine): Takeovers {
  const times: Record<Loss, number[]> = { death: [], SIGSTOP: [] };
  return {
    async follow(loss, lostAt, runs) {
      const taken = async ({ id, owner }: OwnedRun): Promise<void> => {
        const ownerNow = async () => (await ownersOf(engine, [id]))[0]?.owner ?? null;
        // A run whose result was stored needs no owner any more: another worker only ends its place in the queue.
        const isLeft = async () => (await ownerNow()) !== owner || (await engine.rows.state(id)) === 'done';
        const options = { timeout: 60_000, interval: lookMs, message: `another worker takes ${id}` };
        await expect.poll(isLeft, options).toBe(true);
        const next = await ownerNow();
        // Its last statement was on its way, and left the run.
        if (next !== null && next !== owner) times[loss].push(performance.now() - lostAt);
      };
      await Promise.all(runs.map(taken));
    },
    report: () =>
      Object.entries(times)
        .map(([loss, taken]) => `takeover after ${loss}: ${inWords(taken)}\n`)
        .join(''),
  };
}

export async function ownersOf(engine: DatabaseEngine, ids: readonly string[]): Promise<readonly OwnedRun[]> {
  const { rows } = await engine.store.pool.query<OwnedRun>(
    'select id, owner from collab.run where id = any($1)',
    [ids],
  );
  return rows;
}

/** Returns those of the runs that a worker has: its place in the queue alone lets no process write. */
export async function heldBy(
  engine: DatabaseEngine,
  ids: readonly string[],
  worker: Member,
): Promise<readonly OwnedRun[]> {
  const number = numberOf(worker);
  return (await ownersOf(engine, ids)).filter(({ owner }) => owner === number);
}

function numberOf(worker: Member): number {
  const [, number] = /worker (\d+): is ready/.exec(worker.process().stderr()) ?? [];
  return Number(number);
}

function inWords(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number): string => `${Math.round(sorted[Math.ceil(sorted.length * part) - 1] ?? 0)} ms`;
  if (sorted.length === 0) return 'no run';
  return `${sorted.length} runs, median ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`;
}
