/** A worker that is stopped between the record of a call and the call itself, and wakes up after another one took its run. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../../src/engine/postgres/connect.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { example, inPlace } from '../place.ts';
import { recordsIn } from '../records-in.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

/** The key of the lock that holds the record of the second call up. */
const gate = 4711;

const holdSecondCall = `
create function hold_second_call() returns trigger language plpgsql as $$
begin
  if new.type = 'step.begun' and new.body like '%"step":"review/chunk-2/turn-1"%"attempt":1,%' then
    perform pg_advisory_xact_lock(${gate});
  end if;
  return new;
end $$;
create trigger hold_second_call before insert on collab.run_event
for each row execute function hold_second_call()`;

test('a worker that was stopped while its call was recorded does not make the call when it wakes up', async () => {
  const address = await cluster.createDatabase();
  const env = { COLLAB_ENGINE: address };
  const database = await openDatabase(address);
  try {
    await inPlace(
      async (place) => {
        const workerIn = (name: string) => {
          const cwd = join(place.folder, name);
          mkdirSync(cwd);
          place.write(`${name}/clean.yaml`, script);
          return place.start(['worker'], { cwd, env });
        };
        const callsOf = (name: string): readonly string[] => {
          const log = join(place.folder, name, 'calls.log');
          return existsSync(log) ? (readFileSync(log, 'utf8').match(/^begin .*$/gm) ?? []) : [];
        };
        await place.collab(['engine', 'migrate'], { env });
        await database.pool.query(holdSecondCall);
        const held = await database.connect();
        await held.query('select pg_advisory_lock($1)', [gate]);
        const sleeper = workerIn('sleeper');
        place.write('collab.config.yaml', 'chunk_tokens: 700\nconcurrency: 1\n');
        place.write('clean.yaml', script);
        const review = [
          'review',
          example('checkout.diff'),
          '--advisor',
          'rehearsal:/proc/self/cwd/clean.yaml',
        ];
        const submitted = await place.collab([...review, '--remote', '--detach'], { env });
        const { run } = z.object({ run: z.string() }).parse(JSON.parse(submitted.stdout));
        const waiting = () =>
          database.pool
            .query(`select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`, [gate])
            .then(({ rowCount }) => rowCount);
        await expect.poll(waiting, { timeout: 60_000, message: 'the record of the second call' }).toBe(1);
        sleeper.kill('SIGSTOP');
        await held.end();
        const second = workerIn('second');
        expect(await place.collab(['wait', run, '--remote', '--timeout', '3m'], { env })).toMatchObject({
          code: 1,
        });
        expect(second.stderr()).toContain(`takes over ${run}`);
        const whole = (await place.collab(['show', run, '--events', '--remote'], { env })).stdout;
        sleeper.kill('SIGCONT');
        await expect
          .poll(() => sleeper.stderr(), { timeout: 60_000 })
          .toContain(`${run} is taken over by another process`);
        expect(callsOf('sleeper')).toEqual(['begin ex_chunk-1/1/1']);
        expect(callsOf('second')).toEqual(
          [2, 3, 4].map((chunk) => `begin ex_chunk-${chunk}/1/${chunk === 2 ? 2 : 1}`),
        );
        expect((await place.collab(['show', run, '--events', '--remote'], { env })).stdout).toBe(whole);
        expect(recordsIn(whole).at(-1)).toMatchObject({ type: 'run.ended' });
      },
      ['pg'],
    );
  } finally {
    await database.close();
  }
}, 240_000);

const script = `
call_log: calls.log
turns:
  - repeat: forever
    answer: |
      [RESPONSE:REVIEW]

      ## STRENGTHS

      The change is small.

      ## ISSUES

      None

      ## SUGGESTIONS

      None
`;
