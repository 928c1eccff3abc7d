/** A full queue, as callers of a server and of the command line meet it, installed, on a database of the test's own. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { formOf } from '../../../src/server/served.test-helper.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { parseMetrics } from '../../../src/observe/metrics/parsed-metrics.test-helper.ts';
import { example, inPlace } from '../place.ts';
import { serve, streamOf } from '../serve/served.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

const limitsSchema = z.object({ tenants: z.array(z.looseObject({ queued: z.number() })) });
const detachedSchema = z.object({ run: z.string() });
const full = 'The tenant local has 1 queued run, and may have 1';
const hint = 'Check the workers: they took no run of it in the last 15 minutes.';

test('a tenant whose queue is full is refused with the time to come back, until a worker takes a run', async () => {
  const env = { COLLAB_ENGINE: await cluster.createDatabase() };
  await inPlace(
    async (place) => {
      const command = (...words: readonly string[]) => place.collab(words, { env });
      const queued = async () =>
        limitsSchema.parse(JSON.parse((await command('engine', 'limits', '--json')).stdout)).tenants[0]
          ?.queued;
      place.git('init', '-q');
      place.write('a.ts', 'first\n');
      place.git('add', '.');
      place.git('commit', '-qm', 'first');
      place.write('a.ts', 'second\n');
      place.rehearsal('graded');
      const advisor = `rehearsal:${join(place.folder, 'rehearsal/graded.yaml')}`;
      const server = await serve(place, ['--remote', '--advisor', advisor], env);
      const start = (conversation: string) =>
        fetch(`${server.url}/api/tenants/local/conversations/${conversation}/runs`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ kind: 'review', input: {}, priority: 'ci' }),
        });
      expect(await command('engine', 'limits', 'local', '--queued', '1')).toMatchObject({
        code: 0,
        stdout: 'local: share 1, 0 of 1 queued, 0 runs at work\n',
      });
      expect((await start('one')).status).toBe(201);

      const refused = [
        await start('two'),
        await fetch(streamOf(server, 'three'), { method: 'POST', body: formOf('/review') }),
      ];
      for (const answer of refused) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
        expect(await answer.json()).toMatchObject({ title: 'Too Many Requests', detail: full, hint });
      }
      const batch = ['review', '--advisor', advisor, '--priority', 'batch'];
      expect(await command(...batch, '--remote')).toMatchObject({
        code: 4,
        stdout: '',
        stderr: `collab: ${full}\n  ${hint}\n`,
      });
      expect(await command(...batch)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--priority batch is for a run in the queue of workers'),
      });

      place.start(['worker'], { env });
      await expect.poll(queued, { timeout: 120_000 }).toBe(0);
      expect((await start('two')).status).toBe(201);
    },
    ['pg'],
  );
}, 240_000);

test('a run that kills three workers fails by itself: the next run of its tenant is driven, and the metrics count both', async () => {
  const env = { COLLAB_ENGINE: await cluster.createDatabase() };
  await inPlace(
    async (place) => {
      const command = (...words: readonly string[]) => place.collab(words, { env });
      const submit = async (script: string) => {
        place.rehearsal(script);
        const advisor = `rehearsal:${join(place.folder, `rehearsal/${script}.yaml`)}`;
        const words = ['review', example('checkout.diff'), '--advisor', advisor, '--remote', '--detach'];
        return detachedSchema.parse(JSON.parse((await command(...words)).stdout)).run;
      };
      await command('engine', 'migrate');
      const poison = await submit('never');
      for (let killed = 0; killed < 3; killed += 1) {
        const victim = place.start(['worker'], { env });
        await expect
          .poll(() => victim.stderr(), { timeout: 120_000 })
          .toMatch(`${killed === 0 ? 'takes' : 'takes over'} ${poison}`);
        victim.kill('SIGKILL');
        await victim.ended;
      }
      const next = await submit('pattern-3');
      const last = place.start(['worker'], { env });
      expect(await command('wait', poison, '--remote', '--timeout', '3m')).toMatchObject({ code: 4 });
      expect(await command('wait', next, '--remote', '--timeout', '3m')).toMatchObject({ code: 1 });
      expect(last.stderr()).toContain(`${poison} failed: The run ended its process 3 times`);
      expect(last.stderr()).not.toContain(`${next} failed`);
      const server = await serve(place, ['--remote'], env);
      const metrics = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
      expect(metrics['collab_runs']).toEqual({
        'kind=review,state=ended,outcome=failed': 1,
        'kind=review,state=ended,outcome=findings': 1,
      });
    },
    ['pg'],
  );
}, 240_000);

test('a tenant that has spent its budget of the day makes no call: its next review is incomplete and says why', async () => {
  const env = { COLLAB_ENGINE: await cluster.createDatabase() };
  await inPlace(
    async (place) => {
      const command = (...words: readonly string[]) => place.collab(words, { env });
      await command('engine', 'migrate');
      const limit = ['engine', 'limits', 'local', '--usd-per-day', '0.001'];
      expect(await command(...limit)).toMatchObject({
        code: 0,
        stdout: 'local: share 1, 0 of 1000 queued, 0 runs at work, $0.00 of $0.001 used today\n',
      });
      place.start(['worker'], { env });
      place.rehearsal('pattern-3');
      const advisor = `rehearsal:${join(place.folder, 'rehearsal/pattern-3.yaml')}`;
      const review = ['review', example('checkout.diff'), '--advisor', advisor, '--remote', '--no-cache'];
      // No price is expected of a rehearsal: the first call is made, and is the last one.
      expect(await command(...review)).toMatchObject({ code: 1 });
      const refused = await command(...review);
      expect(refused).toMatchObject({ code: 3 });
      expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain(
        'the budget of the tenant local, $0.001 a day, is spent: $0.0030 is used',
      );
      const listed: unknown = JSON.parse((await command('engine', 'limits', '--json')).stdout);
      expect(listed).toEqual({
        tenants: [
          {
            tenant: 'local',
            share: 1,
            most_queued: 1000,
            usd_per_day: 0.001,
            usd_today: 0.003,
            queued: 0,
            driven: 0,
          },
        ],
        providers: [],
      });
    },
    ['pg'],
  );
}, 240_000);
