/** `collab consult --remote`: asked on one machine, driven by workers on others, answered on a third. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { withTables } from '../../../src/engine/postgres/migrate.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { expectLawful, idOf, idPattern, runIn, scripted, seen, withMachines } from './machines.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

const limitMs = 240_000;

test(
  'a consult that a worker drives ends as one that runs here, and leaves nothing here',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, host] = [machine('laptop'), machine('host')];
      laptop.git('init', '-q');
      laptop.write('a.ts', 'export const a = 1;\n');
      for (const one of [laptop, host]) one.plays([settles]);
      const worker = host.worker();
      const there = await laptop.remote(consult, 'Is it sound?');
      expect(there.stderr).toMatch(
        /^\S+ is submitted; it continues without this command: collab wait \S+ --remote --timeout 9m\n/,
      );
      expect(existsSync(join(laptop.folder, '.collab'))).toBe(false);
      expect(laptop.calls()).toEqual([]);
      const here = await laptop.collab(consult, 'Is it sound?');
      expect([there, here].map(({ code, stdout }) => [code, withoutIds(stdout)])).toEqual([
        [0, withoutIds(there.stdout)],
        [0, withoutIds(there.stdout)],
      ]);
      expect(there.stdout).toContain('Keep integers.');
      const run = runIn(there.stdout);
      const again = await Promise.all([laptop.remote(['show', run]), laptop.remote(['wait', run])]);
      expect(again).toMatchObject([there, there].map(({ code, stdout }) => ({ code, stdout })));
      const [listed] = JSON.parse((await laptop.remote(['runs', '--json'])).stdout);
      expect(listed).toMatchObject({ run, kind: 'consult', state: 'ended', outcome: 'settled' });
      await expectLawful(laptop, run);
      worker.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ code: 0 });
    });
  },
  limitMs,
);

test.each([
  ['exhausted', { answer: 'I think it is fine.', repeat: 'forever' }, 3],
  ['unavailable', { fault: 'unavailable', code: 'quota', message: 'quota is used up' }, 4],
])(
  'a consult that is %s has the exit code that it has here',
  async (outcome, turn, code) => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, host] = [machine('laptop'), machine('host')];
      for (const one of [laptop, host]) one.plays([turn]);
      host.worker();
      const ends = [await laptop.remote(consult, 'Sound?'), await laptop.collab(consult, 'Sound?')];
      expect(ends).toMatchObject(ends.map(() => ({ code, stdout: expect.stringContaining(outcome) })));
    });
  },
  limitMs,
);

test(
  'the worker that asked back is gone, a third machine answers, and another worker continues',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, first] = [machine('laptop'), machine('first')];
      const [phone, second] = [machine('phone'), machine('second')];
      for (const one of [laptop, first, second]) one.plays([settlesWithYen, asksBack]);
      const asking = first.worker();
      const asked = await laptop.remote(consult, 'Is it sound?');
      const [, run = ''] = /collab answer (\S+) --remote --file -/.exec(asked.stdout) ?? [];
      expect(asked).toMatchObject({ code: 10, stdout: expect.stringContaining('Which currencies?') });
      asking.kill('SIGTERM');
      await asking.ended;
      expect(await phone.remote(['wait', run])).toMatchObject({ code: 10, stdout: asked.stdout });
      expect(await phone.remote(['answer', run, '--file', '-'], '')).toMatchObject({ code: 2 });
      expect(await phone.remote(['answer', run, '--file', '-'], 'The yen.')).toMatchObject({
        code: 11,
        stdout: expect.stringContaining(`collab wait ${run} --remote --timeout 9m`),
      });
      second.worker();
      expect(await phone.remote(['wait', run, '--timeout', '3m'])).toMatchObject({ code: 0 });
      expect([first.calls(), second.calls()]).toEqual([['ex_consult/1/1'], ['ex_consult/2/1']]);
      await expectLawful(laptop, run);
    });
  },
  limitMs,
);

test(
  'a worker is killed in the middle: another machine takes the consult over, and no recorded call is made again',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, first, second] = [machine('laptop'), machine('first'), machine('second')];
      laptop.git('init', '-q');
      laptop.write('a.ts', 'export const a = 1;\n');
      for (const one of [laptop, second]) one.plays([settlesWithYen, asksBack]);
      first.plays([{ ...settlesWithYen, delay_ms: 600_000 }, asksBack]);
      const victim = first.worker();
      const asked = await laptop.remote(consult, 'Is it sound?');
      const [, run = ''] = /collab answer (\S+) --remote --file -/.exec(asked.stdout) ?? [];
      await laptop.remote(['answer', run, '--file', '-'], 'The yen.');
      await seen('the second call', () => first.calls().length === 2);
      victim.kill('SIGKILL');
      const heir = second.worker();
      expect(await laptop.remote(['wait', run, '--timeout', '3m'])).toMatchObject({ code: 0 });
      expect(heir.stderr()).toContain(`takes over ${run}`);
      expect([first.calls(), second.calls()]).toEqual([
        ['ex_consult/1/1', 'ex_consult/2/1'],
        ['ex_consult/2/2'],
      ]);
      await expectLawful(laptop, run);
    });
  },
  limitMs,
);

test(
  'a consult is canceled from elsewhere, queued or driven',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, host, phone] = [machine('laptop'), machine('host'), machine('phone')];
      for (const one of [laptop, host]) one.plays([{ fault: 'never' }]);
      const queued = idOf(await laptop.remote([...consult, '--detach'], 'Is it sound?'));
      expect(await phone.remote(['cancel', queued])).toMatchObject({ stdout: `${queued} is cancelled\n` });
      host.worker();
      const driven = idOf(await laptop.remote([...consult, '--detach'], 'Is it sound?'));
      await seen('the call', () => host.calls().length === 1);
      expect(await phone.remote(['cancel', driven])).toMatchObject({ code: 0 });
      for (const run of [queued, driven])
        expect(await phone.remote(['wait', run, '--timeout', '3m'])).toMatchObject({
          code: 3,
          stdout: expect.stringContaining('cancelled'),
        });
      expect(host.calls()).toEqual(['ex_consult/1/1']);
    });
  },
  limitMs,
);

test(
  'a cancellation outlives the worker that it reached and the command that asked for it',
  async () => {
    const address = await cluster.createDatabase();
    await withMachines(address, async (machine) => {
      const [laptop, first, second] = [machine('laptop'), machine('first'), machine('second')];
      for (const one of [laptop, first, second]) one.plays([{ fault: 'never' }]);
      const victim = first.worker();
      const run = idOf(await laptop.remote([...consult, '--detach'], 'Is it sound?'));
      await seen('the call', () => first.calls().length === 1);
      // Frozen, it neither ends the run nor answers.
      victim.kill('SIGSTOP');
      const canceling = laptop.start(['cancel', run, '--remote']);
      await expect.poll(() => requestsTo(run, address), { timeout: 60_000 }).toEqual([{ type: 'cancel' }]);
      canceling.kill('SIGKILL');
      victim.kill('SIGKILL');
      await Promise.all([canceling.ended, victim.ended]);
      second.worker();
      expect(await laptop.remote(['wait', run, '--timeout', '3m'])).toMatchObject({
        code: 3,
        stdout: expect.stringContaining('cancelled'),
      });
      expect(second.calls()).toEqual([]);
      await expectLawful(laptop, run);
    });
  },
  limitMs,
);

test(
  'a consult that kills three workers is unavailable, with the reason',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, host] = [machine('laptop'), machine('host')];
      for (const one of [laptop, host]) one.plays([{ fault: 'never', repeat: 'forever' }]);
      const run = idOf(await laptop.remote([...consult, '--detach'], 'Is it sound?'));
      for (let killed = 0; killed < 3; killed += 1) {
        const victim = host.worker();
        await seen('a call', () => host.calls().length > killed);
        victim.kill('SIGKILL');
        await victim.ended;
      }
      host.worker();
      const waited = await laptop.remote(['wait', run, '--timeout', '3m', '--format', 'json']);
      expect(waited.code).toBe(4);
      expect(JSON.parse(waited.stdout)).toMatchObject({
        schema: 'collab.consult/v1',
        state: 'ended',
        outcome: 'unavailable',
        reasons: ['The run ended its process 3 times'],
      });
      await expectLawful(laptop, run);
    });
  },
  limitMs,
);

test(
  'a worker takes only the kinds that it names',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, reviews, consults] = [machine('laptop'), machine('reviews'), machine('consults')];
      for (const one of [laptop, reviews, consults]) one.plays([settles]);
      laptop.write('change.diff', changes);
      const unknown = await laptop.collab(['worker', '--kinds', 'review,chat']);
      expect(unknown).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          '--kinds needs kinds of runs: review, consult, workflow, not "review,chat"',
        ),
      });
      const consultation = idOf(await laptop.remote([...consult, '--detach'], 'Is it sound?'));
      const review = idOf(
        await laptop.remote(['review', 'change.diff', '--advisor', 'static_review', '--detach']),
      );
      const [reviewer, advisor] = [
        reviews.worker('--kinds', 'review'),
        consults.worker('--kinds', 'consult'),
      ];
      const codes = [consultation, review].map(
        async (run) => (await laptop.remote(['wait', run, '--timeout', '3m'])).code,
      );
      expect(await Promise.all(codes)).toEqual([0, 0]);
      expect(reviewer.stderr()).not.toContain(consultation);
      expect(advisor.stderr()).not.toContain(review);
    });
  },
  limitMs,
);

test(
  'a consult continues a conversation of the database, and one that waits there holds it',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop, phone, host] = [machine('laptop'), machine('phone'), machine('host')];
      for (const one of [laptop, phone, host])
        one.plays([settlesWithYen, { ...asksBack, when: { contains: 'dinar' } }, settles]);
      host.worker();
      const first = runIn((await laptop.remote(consult, 'Is it sound?')).stdout);
      const second = await phone.remote([...consult, '--run', first, '--format', 'json'], 'And for the yen?');
      expect(second.code).toBe(0);
      const { conversation_id, run_id } = z
        .object({ conversation_id: z.string(), run_id: z.string() })
        .parse(JSON.parse(second.stdout));
      expect(conversation_id).toBe(first);
      const third = await laptop.remote([...consult, '--run', run_id], 'And for the dinar?');
      expect(third.code).toBe(10);
      const { stdout: prompt } = await laptop.remote(['show', 'latest', '--prompt', '1']);
      expect(prompt.match(/### From `Settled before: design, run \S+`/g)).toHaveLength(2);
      expect(await laptop.remote([...consult, '--run', first], 'And for the franc?')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('has not ended'),
      });
      expect(await laptop.remote([...consult, '--run', 'unknown'], 'And?')).toMatchObject({ code: 2 });
    });
  },
  limitMs,
);

test(
  'inside Claude Code the command follows for a while, and a place in the queue needs --remote',
  async () => {
    await withMachines(await cluster.createDatabase(), async (machine) => {
      const [laptop] = [machine('laptop')];
      laptop.plays([settles]);
      const submitted = await laptop.remote(consult, 'Is it sound?', {
        CLAUDECODE: '1',
        COLLAB_FOLLOW: '1s',
      });
      expect(submitted).toMatchObject({
        code: 11,
        stdout: expect.stringMatching(/^\S+ is still running; wait again: collab wait \S+ --remote /),
      });
      expect(await laptop.collab([...consult, '--priority', 'batch'], 'Is it sound?')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Add --remote, or leave --priority out.'),
      });
    });
  },
  limitMs,
);

/** The requests to owners of a run that the database holds, in order. */
function requestsTo(run: string, address: string): Promise<readonly unknown[]> {
  return withTables(address, async (pool) => {
    const { rows } = await pool.query<{ body: string }>(
      'select body from collab.run_request where run_id = $1 order by id',
      [run],
    );
    return rows.map(({ body }) => JSON.parse(body));
  });
}

const consult = ['consult', 'design', '--file', '-', '--advisor', scripted];

const settles = {
  repeat: 'forever',
  answer:
    '[RESPONSE:DESIGN]\n\n## ASSESSMENT\nThe plan is sound.\n\n## RISKS\nNone\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\nKeep integers.\n',
};
const settlesWithYen = { ...settles, when: { contains: 'yen' } };
const asksBack = { repeat: 'forever', answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currencies?\n' };

const changes =
  'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-const a = 1;\n+const a = 2;\n';

function withoutIds(text: string): string {
  return text.replaceAll(idPattern, '(id)');
}
