/** Two `collab serve --remote` and a `collab worker`, installed, on a database of the test's own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { straightWay } from '../../contract/workflow/workflow-script.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { example, inPlace, type Place } from '../place.ts';
import { serve, streamOf, type Served } from '../serve/served.ts';
import { readStream } from '../serve/stream-reader.ts';
import type { StartedCommand } from '../started-command.ts';
import { formOf } from '../../../src/server/served.test-helper.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

const limitMs = 240_000;

test(
  'a reader of a server that is killed continues on another one: nothing is missing, nothing comes twice',
  async () => {
    await withServers('slow', async ({ place, a, b, worker }) => {
      worker();
      await start(a, 'one', 'checkout.diff');
      let at = a;
      const reader = readStream(() => streamOf(at, 'one'));
      await seen('the third call', () => calls(place).includes('begin ex_chunk-3/'));
      expect(reader.count()).toBeGreaterThan(0);
      at = b;
      await a.kill();
      const whole = await reader.whole;
      expect(reader.cuts()).toBeGreaterThan(0);
      expect(whole).toBe(await readStream(streamOf(b, 'one')).whole);
      const { runs } = await listed(b, 'one');
      expect(runs).toMatchObject([{ state: 'ended', kind: 'review', outcome: 'findings' }]);
    });
  },
  limitMs,
);

test(
  'a run that one server started is listed, answered and read on the other one',
  async () => {
    await withServers('asks', async ({ a, b, worker }) => {
      worker();
      const run = await start(a, 'asked', 'harmless.diff', { lead: 'caller' });
      const at = `conversations/asked/runs/${run}`;
      await expect.poll(async () => (await detailsOf(b, at)).questions.length, { timeout: 120_000 }).toBe(1);
      const { questions } = await detailsOf(b, at);
      const name = questions[0]?.name ?? '';
      const value = '## CONTEXT\n\nVersion 2.\n';
      expect((await post(b, `${at}/answers/${name}`, { value })).status).toBe(202);
      await expect.poll(async () => (await detailsOf(a, at)).state, { timeout: 120_000 }).toBe('ended');
      expect(await detailsOf(a, at)).toMatchObject({ outcome: 'clean', questions: [] });
      expect((await post(a, `${at}/answers/${name}`, { value })).status).toBe(409);
      for (const one of [a, b]) {
        expect(await textOf(one, `${at}/diff`)).toBe(readFileSync(example('harmless.diff'), 'utf8'));
        const conversations = await (await fetch(api(one, 'conversations'))).json();
        expect(conversations).toMatchObject({ conversations: [{ conversation_id: 'asked' }] });
      }
    });
  },
  limitMs,
);

test(
  'a queued run is cancelled on another server, holds its conversation until then, and is of no other tenant',
  async () => {
    await withServers('four-chunks', async ({ place, a, b }) => {
      const run = await start(a, 'held', 'checkout.diff');
      const at = `conversations/held/runs/${run}`;
      const second = await post(b, 'conversations/held/runs', review('checkout.diff'));
      expect(second).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Another run') } });
      expect(await get(b, `conversations/other/runs/${run}`)).toBe(404);
      expect((await fetch(`${b.url}/api/tenants/acme/${at}`)).status).not.toBe(200);
      expect((await post(b, `${at}/cancel`, {})).status).toBe(202);
      expect(await detailsOf(a, at)).toMatchObject({ state: 'ended', status: 'cancelled' });
      expect((await post(a, 'conversations/held/cancel', {})).status).toBe(409);
      await start(b, 'held', 'checkout.diff');
      expect((await listed(a, 'held')).runs).toHaveLength(2);
      expect(calls(place)).toBe('');
    });
  },
  limitMs,
);

test(
  'a run of phases of the folder of one server is answered on the other one, and applied in that folder',
  async () => {
    await withServers('phases', async ({ place, a, b, worker, env }) => {
      place.git('init', '-q');
      place.write('.gitignore', '*.yaml\nrehearsal/\n.collab/\n');
      place.git('add', '.');
      place.git('commit', '-qm', 'first');
      place.write('notes.txt', 'mine\n');
      worker('--kinds', 'workflow');
      const lead = `rehearsal:${join(place.folder, 'phases.yaml')}`;
      const task = { kind: 'run', task: 'Write one.', lead, priority: 'ci' };
      const { status, body } = await post(a, 'conversations/task/runs', task);
      expect([status, body]).toMatchObject([201, { run_id: expect.any(String) }]);
      const { run_id: run } = startedSchema.parse(body);
      const at = `conversations/task/runs/${run}`;
      for (const value of ['Version 2.', 'approve']) {
        await expect
          .poll(async () => (await detailsOf(b, at)).questions.length, { timeout: 120_000 })
          .toBe(1);
        const { questions } = await detailsOf(b, at);
        expect(await post(b, `${at}/answers/${questions[0]?.name}`, { value })).toMatchObject({
          status: 202,
        });
        await expect
          .poll(async () => (await detailsOf(b, at)).questions[0]?.name, { timeout: 120_000 })
          .not.toBe(questions[0]?.name);
      }
      await expect.poll(async () => (await detailsOf(a, at)).state, { timeout: 120_000 }).toBe('ended');
      expect(await detailsOf(a, at)).toMatchObject({ kind: 'run', outcome: 'clean' });
      expect(await textOf(b, `${at}/diff`)).toContain('+export const one = 1;');
      expect(existsSync(join(place.folder, 'src'))).toBe(false);
      expect(await place.collab(['apply', run, '--remote'], { env })).toMatchObject({ code: 0 });
      expect(place.read('src/one.js')).toBe('export const one = 1;\n');
      expect(place.read('notes.txt')).toBe('mine\n');
    });
  },
  limitMs,
);

test(
  'a file of a working tree is read on a server that has no store of it',
  async () => {
    await withServers('graded', async ({ place, a, b }) => {
      place.git('init', '-q');
      place.write('a.ts', 'first\nold\nlast\n');
      place.git('add', '.');
      place.git('commit', '-qm', 'first');
      place.write('a.ts', 'first\nnew\nlast\n');
      const { status, body } = await post(a, 'conversations/tree/runs', { kind: 'review', input: {} });
      expect(status).toBe(201);
      const { run_id: run } = startedSchema.parse(body);
      const at = `conversations/tree/runs/${run}`;
      place.write('a.ts', 'gone\n');
      const answer = await fetch(api(b, `${at}/file?path=a.ts`));
      // A scripted advisor reads no files, so that none are packed.
      expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('kept no files')]);
      expect(await textOf(b, `${at}/diff`)).toContain('+new');
    });
  },
  limitMs,
);

test(
  'what does not travel yet is refused with a way to have it',
  async () => {
    await withServers('graded', async ({ a }) => {
      const fix = await post(a, 'conversations/no/runs', { kind: 'fix', findings: ['F1'] });
      expect(fix).toMatchObject({
        status: 422,
        body: {
          detail:
            'A fix cannot start on a server with a database yet; this server starts reviews and runs of phases',
          hint: 'Start one of these, or use a server without --engine: collab serve.',
        },
      });
      const applied = await post(a, 'conversations/no/runs', {
        kind: 'run',
        task: 'Add a test',
        apply: true,
      });
      expect(applied).toMatchObject({
        status: 422,
        body: {
          detail: 'A worker cannot change your files: apply is for a run on this machine',
          hint: 'Leave apply out; collab apply <run> --remote applies the edits when the run has ended.',
        },
      });
      const said = await fetch(streamOf(a, 'no'), { method: 'POST', body: formOf('Hello') });
      expect(await said.text()).toMatch(
        /event: error[^]*A conversation cannot start on a server with a database yet/,
      );
      const mcp = await post(a, 'mcp', { jsonrpc: '2.0', id: 1, method: 'ping' });
      expect(mcp).toMatchObject({ status: 409, body: { detail: expect.stringContaining('no MCP yet') } });
      expect((await listed(a, 'no')).runs).toEqual([]);
    });
  },
  limitMs,
);

test(
  'a server outlives its database: it is not ready meanwhile, and serves again when the database is back',
  async () => {
    await withServers('graded', async ({ a }) => {
      expect((await fetch(`${a.url}/api/ready`)).status).toBe(200);
      await cluster.stop('immediate');
      const away = await fetch(`${a.url}/api/ready`);
      expect([away.status, await away.json()]).toEqual([
        503,
        expect.objectContaining({ detail: expect.stringContaining('The database is out of reach') }),
      ]);
      expect((await fetch(`${a.url}/api/health`)).status).toBe(200);
      const asked = listed(a, 'later');
      await cluster.start();
      expect(await asked).toEqual({ runs: [] });
      await expect
        .poll(async () => (await fetch(`${a.url}/api/ready`)).status, { timeout: 120_000 })
        .toBe(200);
      await start(a, 'later', 'checkout.diff');
    });
  },
  limitMs,
);

interface Servers {
  readonly place: Place;
  readonly a: Served;
  readonly b: Served;
  readonly worker: (...flags: readonly string[]) => StartedCommand;
  readonly env: Readonly<Record<string, string>>;
}

/** `script`: a rehearsal of the package, `asks`, `slow` or `phases`. */
async function withServers(script: string, use: (servers: Servers) => Promise<void>): Promise<void> {
  const env = { COLLAB_ENGINE: await cluster.createDatabase() };
  await inPlace(
    async (place) => {
      const own = { asks: asking, slow: slowThird, phases: stringify({ turns: straightWay }) }[script];
      place.rehearsal(own === undefined ? script : 'graded');
      if (own !== undefined) place.write(`${script}.yaml`, own);
      place.write('collab.config.yaml', 'chunk_tokens: 700\nconcurrency: 1\n');
      const file = own === undefined ? `rehearsal/${script}.yaml` : `${script}.yaml`;
      const advisor = `rehearsal:${join(place.folder, file)}`;
      const flags = ['--remote', '--advisor', advisor];
      // Two servers at once on an empty database.
      const [a, b] = await Promise.all([serve(place, flags, env), serve(place, flags, env)]);
      const worker = (...more: readonly string[]) => place.start(['worker', ...more], { env });
      await use({ place, a, b, worker, env });
    },
    ['pg'],
  );
}

function api({ url }: Served, path: string): string {
  return `${url}/api/tenants/local/${path}`;
}

function review(name: string, more: object = {}): object {
  return { kind: 'review', input: { diff: readFileSync(example(name), 'utf8') }, ...more };
}

const startedSchema = z.object({ run_id: z.string() });

async function start(served: Served, conversation: string, name: string, more?: object): Promise<string> {
  const { status, body } = await post(served, `conversations/${conversation}/runs`, review(name, more));
  expect([status, body]).toMatchObject([201, { run_id: expect.any(String) }]);
  return startedSchema.parse(body).run_id;
}

async function post(served: Served, path: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(api(served, path), { method: 'POST', headers, body: JSON.stringify(body) });
  const read: unknown = await answer.json();
  return { status: answer.status, body: read };
}

async function get(served: Served, path: string): Promise<number> {
  return (await fetch(api(served, path))).status;
}

async function textOf(served: Served, path: string): Promise<string> {
  return (await fetch(api(served, path))).text();
}

const detailsSchema = z.looseObject({
  state: z.string(),
  questions: z.array(z.looseObject({ name: z.string() })),
});

async function detailsOf(served: Served, path: string): Promise<z.infer<typeof detailsSchema>> {
  return detailsSchema.parse(await (await fetch(api(served, path))).json());
}

const listedSchema = z.object({ runs: z.array(z.looseObject({ state: z.string() })) });

async function listed(served: Served, conversation: string): Promise<z.infer<typeof listedSchema>> {
  const answer = await fetch(api(served, `conversations/${conversation}/runs`));
  return listedSchema.parse(await answer.json());
}

function calls({ folder }: Place): string {
  const log = join(folder, 'rehearsal/calls.log');
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
}

/** A machine that does much else is slow. */
async function seen(what: string, holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 120_000, message: what }).toBe(true);
}

/** The third answer comes when the reader has long been cut: its server is killed as soon as the call has begun. */
const slowThird = `
call_log: rehearsal/calls.log
turns:
  - when: { chunk: 2 }
    answer_file: rehearsal/critical-answer.md
  - when: { chunk: 3 }
    delay_ms: 15000
    answer_file: rehearsal/clean-answer.md
  - repeat: forever
    answer_file: rehearsal/clean-answer.md
`;

const asking = `
turns:
  - when: { attempt: 1, contains: shipping }
    answer: |
      [CONSULT:CLAUDE:CONTEXT]

      Which version is it for?
  - repeat: forever
    answer_file: rehearsal/clean-answer.md
`;
