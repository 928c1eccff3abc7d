/** `collab worker` and `collab review --remote`, installed, on a database of the test's own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { checkLaws } from '../../../src/events/laws.ts';
import { collabEventSchema } from '../../../src/events/collab-event.ts';
import { startPostgres, type PostgresCluster } from '../../fixtures/postgres-cluster.ts';
import { recordsIn } from '../records-in.ts';
import { example, inPlace, repository, type Place } from '../place.ts';
import type { StartedCommand } from '../started-command.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.remove());

const limitMs = 240_000;

test(
  'two workers start at once on an empty database, and a submitted review ends as one that runs here',
  async () => {
    await withDatabase(async ({ place, env, worker, remote }) => {
      place.git('init', '-q');
      place.write('a.ts', 'export const a = 1;\n');
      place.write('finds.yaml', finding);
      const advisor = 'rehearsal:finds.yaml';
      place.git('add', '.');
      place.git('commit', '-qm', 'first');
      place.write('a.ts', 'export const a = 2;\n');
      const workers = [worker(), worker('--runs', '2', '--providers', 'rehearsal')];
      await Promise.all(
        workers.map((one) => seen('a ready worker', () => one.stderr().includes('is ready'))),
      );
      const flags = [
        'review',
        '--advisor',
        absolute(place, advisor),
        '--format',
        'json',
        '--fail-on',
        'minor',
      ];
      const here = await place.collab([...flags, '--report', 'markdown=../here.md'], { env });
      const there = await remote(...flags, '--report', 'markdown=../there.md');
      expect(there.stderr).toMatch(
        /^\S+ is submitted; it continues without this command: collab wait \S+ --remote/m,
      );
      expect([there.code, here.code]).toEqual([1, 1]);
      expect(essence(there.stdout)).toEqual(essence(here.stdout));
      expect(readFileSync(join(place.folder, '../there.md'), 'utf8')).toContain('The constant is wrong');
      const [listed] = runsSchema.parse(JSON.parse((await remote('runs', '--json')).stdout));
      expect(listed).toMatchObject({ kind: 'review', state: 'ended' });
      const events = await remote('show', listed?.run ?? '', '--events');
      expect(checkLaws(eventsIn(events.stdout))).toEqual([]);
      // It is read on any machine.
      expect(eventsIn(events.stdout)[0]).toMatchObject({ type: 'run.started', cwd: '' });
      for (const one of workers) one.kill('SIGTERM');
      expect(await Promise.all(workers.map((one) => one.ended))).toMatchObject([{ code: 0 }, { code: 0 }]);
    });
  },
  limitMs,
);

test(
  'a worker that is killed loses its run to another one, and no recorded call is made again',
  async () => {
    await withDatabase(async ({ place, worker, submit, remote }) => {
      const advisor = absolute(place, place.rehearsal('four-chunks-slow'));
      const first = worker();
      const run = await submit(advisor);
      const calls = join(place.folder, 'rehearsal/calls.log');
      await seen('the third call', () => countCalls(calls, 3) === 1);
      first.kill('SIGKILL');
      const second = worker();
      const waited = await remote('wait', run, '--timeout', '3m');
      expect(waited).toMatchObject({ code: 1 });
      expect(second.stderr()).toContain(`takes over ${run}`);
      expect([1, 2, 3, 4].map((chunk) => countCalls(calls, chunk))).toEqual([1, 1, 2, 1]);
      const shown = await remote('show', run, '--events');
      expect(checkLaws(eventsIn(shown.stdout))).toEqual([]);
    });
  },
  limitMs,
);

test(
  'a worker that gets SIGTERM returns its run to the queue after its grace, and takes no other',
  async () => {
    await withDatabase(async ({ place, worker, submit, remote }) => {
      const advisor = absolute(place, place.rehearsal('four-chunks-slow'));
      const first = worker('--grace', '1ms');
      const run = await submit(advisor);
      await seen('the third call', () => countCalls(join(place.folder, 'rehearsal/calls.log'), 3) === 1);
      const queued = await submit(absolute(place, 'rehearsal:rehearsal/graded.yaml'));
      first.kill('SIGTERM');
      expect(await first.ended).toMatchObject({ code: 0 });
      expect(first.stderr()).toContain(`${run} is back in the queue`);
      expect(first.stderr()).not.toContain(`takes ${queued}`);
      const states = runsSchema.parse(JSON.parse((await remote('runs', '--json')).stdout));
      expect(states.map(({ state }) => state)).toEqual(['queued', 'queued']);
      worker('--runs', '2');
      const ends = await Promise.all([run, queued].map((one) => remote('wait', one, '--timeout', '3m')));
      expect(ends).toMatchObject([{ code: 1 }, { code: 1 }]);
    });
  },
  limitMs,
);

test(
  'a queued run is canceled from elsewhere: no worker asks anything for it',
  async () => {
    await withDatabase(async ({ place, worker, submit, remote }) => {
      const advisor = absolute(place, place.rehearsal('four-chunks'));
      await remote('engine', 'migrate');
      const run = await submit(advisor);
      expect(await remote('cancel', run)).toMatchObject({ code: 0, stdout: `${run} is cancelled\n` });
      const only = worker();
      await seen('a ready worker', () => only.stderr().includes('is ready'));
      const other = await submit(absolute(place, 'rehearsal:rehearsal/graded.yaml'));
      expect(await remote('wait', other, '--timeout', '3m')).toMatchObject({ code: 1 });
      expect(only.stderr()).not.toContain(run);
      expect(existsSync(join(place.folder, 'rehearsal/calls.log'))).toBe(false);
      expect(await remote('wait', run)).toMatchObject({ code: 3 });
      expect(await remote('cancel', run)).toMatchObject({ stdout: `${run} has already ended\n` });
    });
  },
  limitMs,
);

test(
  'a worker asks, a person answers from elsewhere, and the review continues',
  async () => {
    await withDatabase(async ({ place, worker, remote }) => {
      await remote('engine', 'migrate');
      place.rehearsal('graded');
      place.write('asks.yaml', asking);
      place.write('answer.md', '## CONTEXT\n\nVersion 2.\n');
      worker();
      const review = [
        'review',
        example('harmless.diff'),
        '--advisor',
        absolute(place, 'rehearsal:asks.yaml'),
      ];
      const asked = await remote(...review, '--lead', 'caller');
      expect(asked).toMatchObject({ code: 10 });
      const [, run = ''] = /collab answer (\S+) --remote --file -/.exec(asked.stdout) ?? [];
      expect(await remote('status', run)).toMatchObject({ stdout: expect.stringContaining('waiting') });
      const answered = await remote('answer', run, '--file', 'answer.md');
      expect(answered).toMatchObject({
        code: 11,
        stdout: expect.stringContaining(`collab wait ${run} --remote`),
      });
      expect(await remote('wait', run, '--timeout', '3m')).toMatchObject({ code: 0 });
    });
  },
  limitMs,
);

test(
  'a run that kills three workers ends as failed, and its records are kept',
  async () => {
    await withDatabase(async ({ place, worker, submit, remote }) => {
      const advisor = absolute(place, place.rehearsal('never'));
      await remote('engine', 'migrate');
      const run = await submit(advisor);
      for (let killed = 0; killed < 3; killed += 1) {
        const victim = worker();
        await seen('a call', () => countCalls(join(place.folder, 'rehearsal/calls.log'), null) > killed);
        victim.kill('SIGKILL');
        await victim.ended;
      }
      const last = worker();
      const waited = await remote('wait', run, '--timeout', '3m');
      expect(waited).toMatchObject({ code: 4 });
      expect(last.stderr()).toContain(`${run} failed: The run ended its process 3 times`);
      expect(countCalls(join(place.folder, 'rehearsal/calls.log'), null)).toBe(3);
      const shown = await remote('show', run, '--events');
      expect(checkLaws(eventsIn(shown.stdout))).toEqual([]);
      expect(eventsIn(shown.stdout).filter(({ type }) => type === 'step.begun').length).toBeGreaterThan(2);
    });
  },
  limitMs,
);

test(
  'a plan starts nothing, and a database that is not named is an error',
  async () => {
    await withDatabase(async ({ place, remote }) => {
      const advisor = absolute(place, place.rehearsal('graded'));
      await remote('engine', 'migrate');
      const plan = await remote('review', example('harmless.diff'), '--advisor', advisor, '--plan');
      expect(plan).toMatchObject({ code: 0 });
      expect(await remote('runs')).toMatchObject({ stdout: 'no runs\n' });
      expect(
        await place.collab(['review', example('harmless.diff'), '--advisor', advisor, '--remote']),
      ).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('No database is named'),
      });
    });
  },
  limitMs,
);

/** A machine that does much else is slow, and a call that was lost waits before it is made again. */
async function seen(what: string, holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 120_000, message: what }).toBe(true);
}

test(
  'the set-up of references/operate.md works as it is written',
  async () => {
    await withDatabase(async ({ place, env }) => {
      place.git('init', '-q');
      place.write('a.ts', 'export const a = 1;\n');
      place.git('add', '.');
      place.git('commit', '-qm', 'first');
      place.git('switch', '-qc', 'topic');
      place.write('a.ts', 'export const a = 2;\n');
      place.git('commit', '-qam', 'second');
      const page = readFileSync(join(repository, 'references/operate.md'), 'utf8');
      const [, block = ''] = /## Set-up in five commands[^]*?```sh\n([^]*?)```/.exec(page) ?? [];
      const [variable, ...commands] = block.trim().split('\n');
      expect(variable).toMatch(/^export COLLAB_ENGINE=postgres:/);
      expect(commands).toHaveLength(4);
      const codes: Record<string, number | 'started' | null> = {};
      for (const command of commands) {
        const words = command.split(' ').slice(1);
        if (words[0] === 'worker') place.start(words, { env });
        codes[command] = words[0] === 'worker' ? 'started' : (await place.collab(words, { env })).code;
      }
      expect(codes).toEqual({
        'collab engine migrate': 0,
        'collab engine check': 0,
        'collab worker --runs 2': 'started',
        // No agent is installed here.
        'collab review main...HEAD --remote': 3,
      });
    });
  },
  limitMs,
);

interface Workers {
  readonly place: Place;
  readonly env: Readonly<Record<string, string>>;
  readonly worker: (...flags: readonly string[]) => StartedCommand;
  /** A command on the database. */
  readonly remote: (...words: readonly string[]) => ReturnType<Place['collab']>;
  /** Submits the review of an example in four chunks and returns its id. */
  readonly submit: (advisor: string) => Promise<string>;
}

async function withDatabase(use: (workers: Workers) => Promise<void>): Promise<void> {
  const env = { COLLAB_ENGINE: await cluster.createDatabase() };
  await inPlace(
    async (place) => {
      const remote = (...words: readonly string[]) => {
        const isOfEngine = words[0] === 'engine';
        return place.collab(isOfEngine ? words : [...words, '--remote'], { env });
      };
      await use({
        place,
        env,
        remote,
        worker: (...flags) => place.start(['worker', ...flags], { env }),
        async submit(advisor) {
          const words = ['review', example('checkout.diff'), '--advisor', advisor, '--detach'];
          place.write('collab.config.yaml', 'chunk_tokens: 700\nconcurrency: 1\n');
          const submitted = await untilMigrated(() => remote(...words));
          expect(submitted).toMatchObject({ code: 0 });
          return z.object({ run: z.string() }).parse(JSON.parse(submitted.stdout)).run;
        },
      });
    },
    ['pg'],
  );
}

/** A worker creates the tables when it starts. */
async function untilMigrated(submit: () => ReturnType<Place['collab']>) {
  for (;;) {
    const submitted = await submit();
    if (!submitted.stderr.includes('holds no tables')) return submitted;
  }
}

/** Workers have folders of their own: a script is named by its absolute path. */
function absolute(place: Place, advisor: string): string {
  const [provider = '', path = ''] = advisor.split(':');
  return `${provider}:${join(place.folder, path)}`;
}

const runsSchema = z.array(z.object({ run: z.string(), kind: z.string().nullable(), state: z.string() }));

const essenceSchema = z.object({
  outcome: z.string(),
  exit_code: z.number(),
  input: z.unknown(),
  findings: z.array(z.unknown()),
  coverage: z.object({ files: z.array(z.object({ path: z.string(), status: z.string() })) }),
});

function essence(json: string): z.infer<typeof essenceSchema> {
  return essenceSchema.parse(JSON.parse(json));
}

function eventsIn(lines: string) {
  return recordsIn(lines).map((record) => collabEventSchema.parse(record));
}

/** Counts the calls that were begun; `chunk` null: of all chunks. */
function countCalls(log: string, chunk: number | null): number {
  if (!existsSync(log)) return 0;
  const name = chunk === null ? 'ex_' : `ex_chunk-${chunk}/`;
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`begin ${name}`)).length;
}

const finding = `
turns:
  - repeat: forever
    answer: |
      [RESPONSE:REVIEW]

      ## STRENGTHS

      The change is small.

      ## ISSUES

      ### Important

      1. **The constant is wrong** — \`a.ts:1\`
         \`\`\`
         export const a = 2;
         \`\`\`
         Why: every caller expects one.

         Fix: export 1.

      ## SUGGESTIONS

      None
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
