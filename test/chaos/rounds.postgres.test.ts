/**
 * Chaos: in each round three installed workers drive several reviews, a conversation of consults and often a run of phases, readers
 * follow them at two installed servers, and one of many faults strikes at a random moment.
 * `npm run test:chaos` plays 200 rounds, `TEST_SEED` repeats a series, `TEST_ROUNDS` chooses their number.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabaseEngine } from '../../src/runs/engine/database-engine.ts';
import { systemClock } from '../../src/system/clock.ts';
import { startPostgres, type PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { inPlace } from '../packed/place.ts';
import { seed } from '../setup/points.ts';
import { processesNaming } from '../setup/process-table.ts';
import { startFleet, type Fleet } from './fleet.ts';
import { converseUndisturbed } from './conversation.ts';
import { drawRounds } from './plan.ts';
import { playRound } from './round.ts';
import { configOf, kinds, playUndisturbed, type Chaos, type Kind, type Reference } from './runs.ts';
import { createTakeovers } from './takeovers.ts';

/** Four rounds have each kind of fault. */
const rounds = Number(process.env['TEST_ROUNDS'] ?? 4);
const size = { workers: 3, servers: 2 };

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

test(
  `${rounds} rounds of faults: every run ends as an undisturbed one, no reader misses a record, and no process is left`,
  async () => {
    process.stdout.write(`${rounds} rounds of chaos; TEST_SEED=${seed} repeats them\n`);
    await inPlace(
      async (place) => {
        const database = await cluster.createDatabase();
        const fleet = await startFleet({ place, database, ...size, config: configOf('plain') });
        const engine = await openDatabaseEngine(database, { clock: systemClock, env: place.environment });
        const takeovers = createTakeovers(engine);
        const chaos: Chaos = { place, fleet, engine, takeovers, env: { COLLAB_ENGINE: database } };
        try {
          const references: Reference<Kind>[] = [];
          for (const kind of kinds) {
            const play = async () => void references.push(await playUndisturbed(chaos, kind));
            await timed(fleet, kind, play);
          }
          const turns = await converseUndisturbed(chaos);
          for (const plan of drawRounds(rounds, size)) {
            const play = () => playRound({ ...chaos, cluster, plan, references, turns });
            await timed(fleet, JSON.stringify(plan), play);
          }
        } finally {
          await engine.close();
        }
        process.stdout.write(takeovers.report());
        expect(await place.collab(['engine', 'check'], { env: chaos.env })).toMatchObject({ code: 0 });
        const ends = Object.entries(await fleet.stop());
        // A worker drains; a server ends by the signal.
        expect(ends.filter(([name, code]) => code !== (name.startsWith('worker') ? 0 : 143))).toEqual([]);
        expect(processesNaming(place.folder)).toEqual([]);
      },
      ['pg'],
    );
  },
  240_000 + rounds * 40_000,
);

/** Prints how long it took; a fault names the seed and what the processes wrote. */
async function timed(fleet: Fleet, what: string, play: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  await play().catch((cause: unknown) => {
    const logs = fleet.members.map((member) => `${member.name}\n${member.log()}`).join('\n');
    const fault = `TEST_SEED=${seed}, ${what}: ${String(cause)}\n${logs}`;
    // At once: what still runs may hold up the end of the test until its time is over.
    process.stdout.write(`${fault}\n`);
    throw new Error(fault, { cause });
  });
  process.stdout.write(`${what}: ${Math.round(performance.now() - startedAt)} ms\n`);
}
