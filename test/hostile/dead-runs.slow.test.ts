/** Faults 1.16 and 1.22: the end of a run on a machine without support for it, and its remains. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { wholeAnswer } from '../../src/runs/rehearsed-review.test-helper.ts';
import { example, test, type Place } from '../packed/place.ts';
import { until } from '../packed/started-command.ts';
import type { MessagesStep } from '../upstream/messages-steps.ts';
import { modelName, openModel } from './model.ts';

const patient = { timeout: 120_000 };
const hanging: MessagesStep = { hang: 'headers' };
const answering: MessagesStep = { text: wholeAnswer };

/** A change, a model on loopback that is asked about it, and a state folder to look into. */
async function open(place: Place) {
  place.git('init', '-q');
  place.write('total.ts', 'export const total = 1;\n');
  place.write('words.txt', 'the words of the working tree\n');
  place.write('.gitignore', '.collab/\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'base');
  place.write('total.ts', 'export const total = 2;\n');
  const { upstream, env, state } = await openModel(place, hanging);
  const args = ['review', '--advisor', modelName, '--no-cache'];
  /** Copies in the folders of runs; the store keeps others. */
  const copies = (): readonly string[] =>
    readdirSync(join(state, 'collab'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('words.txt') && !path.startsWith('store'),
    );
  const store = (): readonly string[] =>
    existsSync(join(state, 'collab/store')) ? readdirSync(join(state, 'collab/store')) : [];
  const begin = async () => {
    const asked = upstream.requests.length;
    const started = place.start(args, { env });
    await upstream.untilRequests(asked + 1);
    return started;
  };
  const reviewed = (...more: readonly string[]) =>
    place.collab(['review', example('checkout.diff'), '--advisor', 'static_review', ...more], { env });
  return { upstream, env, args, copies, store, begin, reviewed };
}

describe.skipIf(process.platform === 'win32')('the copy of the files under review', () => {
  test.for(['SIGKILL', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'of a run that ended by %s is removed by the next run, and the run goes on all the same',
    patient,
    async (signal, { place, expect }) => {
      const { upstream, env, copies, begin, reviewed } = await open(place);
      const run = await begin();
      expect(copies()).toHaveLength(1);
      run.kill(signal);
      const { code } = await run.ended;
      expect(code).toBe({ SIGKILL: null, SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
      const [killed = ''] = place.runs();
      await reviewed();
      expect(copies()).toEqual([]);
      upstream.play(() => answering);
      const resumed = await place.collab(['resume', killed.split('/').at(-1) ?? ''], { env });
      expect([resumed.code, copies()]).toEqual([0, []]);
    },
  );

  test('of a run that continues, or waits, is kept', patient, async ({ place, expect }) => {
    const { upstream, copies, begin, reviewed } = await open(place);
    const run = await begin();
    await reviewed();
    await reviewed();
    expect(copies()).toHaveLength(1);
    run.kill('SIGKILL');
    await run.ended;
    upstream.play(() => answering);
  });

  test('of a run with a refused key is removed immediately', patient, async ({ place, expect }) => {
    const { upstream, env, args, copies } = await open(place);
    upstream.play(() => ({ status: 401, message: 'no such key' }));
    const { code } = await place.collab(args, { env });
    expect([code, copies()]).toEqual([4, []]);
    upstream.play(() => answering);
    const resumed = await place.collab(['resume'], { env });
    expect([resumed.code, copies()]).toEqual([0, []]);
  });

  test(
    'is the same in a resumed run; without the store it is made again, and the run says so if the files changed',
    patient,
    async ({ place, expect }) => {
      const { upstream, env, begin, reviewed } = await open(place);
      const run = await begin();
      run.kill('SIGKILL');
      await run.ended;
      const [killed = ''] = place.runs();
      await reviewed();
      place.write('words.txt', 'other words\n');
      const again = place.start(['resume', killed.split('/').at(-1) ?? ''], { env });
      await upstream.untilRequests(2);
      again.kill('SIGKILL');
      expect((await again.ended).stderr).not.toContain('the files have changed');
      rmSync(join(env['XDG_STATE_HOME'] ?? '', 'collab/store'), { recursive: true });
      upstream.play(() => answering);
      const { code, stderr } = await place.collab(['resume', killed.split('/').at(-1) ?? ''], { env });
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining('the files have changed since this run began'),
      ]);
    },
  );

  test(
    'and everything else that dead runs left is removed by clean, including links but not their targets',
    patient,
    async ({ place, expect }) => {
      const { env, copies, store, begin } = await open(place);
      const run = await begin();
      run.kill('SIGKILL');
      await run.ended;
      await place.collab(['clean'], { env });
      expect([copies(), store().length]).toEqual([[], 1]);
      const { stdout } = await place.collab(['clean', '--all'], { env });
      // Other runs of this user may have kept files in the folder for temporary files.
      const removed = expect.stringMatching(/removed kept files of \d+ repositor(?:y|ies)\n/);
      expect([stdout, store()]).toEqual([removed, []]);
      expect(place.read('words.txt')).toBe('the words of the working tree\n');
    },
  );
});

test(
  'a private git folder that a killed process left is removed after a week, a younger one is not',
  patient,
  async ({ place, expect }) => {
    const { env } = await open(place);
    const temporary = join(place.folder, '../tmp');
    const folders = ['collab-git-aaaaaa', 'collab-git-bbbbbb', 'collab-other'].map((name) =>
      join(temporary, name),
    );
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    const eightDaysAgo = Date.now() / 1000 - 8 * 24 * 3600;
    for (const folder of [folders[0] ?? '', folders[2] ?? '']) utimesSync(folder, eightDaysAgo, eightDaysAgo);
    await place.collab(['review', '--advisor', 'static_review'], { env: { ...env, TMPDIR: temporary } });
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true]);
  },
);

const review = ['review', example('checkout.diff'), '--advisor', 'static_review'];

describe.skipIf(process.platform !== 'linux')('a machine that does not help', () => {
  test.for(['.collab', '.collab/runs', '.collab/cache', '.collab/conversations', '.collab/.gitignore'])(
    'a pipe as %s is told or passed over, and ends',
    patient,
    async (path, { place, expect }) => {
      mkdirSync(join(place.folder, path, '..'), { recursive: true });
      execFileSync('mkfifo', [join(place.folder, path)]);
      for (const args of [review, ['runs'], ['clean'], ['show']]) {
        const { code, stderr } = await place.collab(args);
        expect([args[0], code === null, stderr.includes('bug in collab')]).toEqual([args[0], false, false]);
      }
    },
  );

  test.for([
    { HOME: '/proc', XDG_STATE_HOME: '/proc', XDG_CONFIG_HOME: '/proc' },
    { HOME: '/dev/null', XDG_STATE_HOME: '/dev/null' },
    { HOME: '/sys', TMPDIR: '/sys' },
    // Below /proc, where root cannot create it for the whole machine.
    { HOME: '', XDG_STATE_HOME: '', TMPDIR: '/proc/missing' },
    { HOME: '\n', LANG: '\u0001', XDG_STATE_HOME: 'relative' },
  ])('an environment of %j is no bug of ours', patient, async (env, { place, expect }) => {
    place.git('init', '-q');
    place.write('a.ts', 'export const a = 1;\n');
    for (const args of [review, ['review', '--advisor', 'static_review'], ['runs'], ['doctor']]) {
      const { code, stderr } = await place.collab(args, { env });
      expect([args[0], code === null, stderr.includes('bug in collab'), stderr]).toEqual([
        args[0],
        false,
        false,
        expect.not.stringMatching(/^\s+at /m),
      ]);
    }
  });

  test('a limit on open files ends with a clear message', patient, ({ place, expect }) => {
    for (const files of [22, 24, 26, 28, 32, 40, 64]) {
      const limited = `ulimit -n ${files}; exec "$0" "$@"`;
      const options = { cwd: place.folder, env: { ...place.environment }, encoding: 'utf8' } as const;
      const { status, stderr } = spawnSync(
        '/bin/bash',
        ['-c', limited, process.execPath, place.command, ...review],
        options,
      );
      expect([files, stderr.includes('bug in collab')]).toEqual([files, false]);
      if (files >= 64) expect([files, status]).toEqual([files, 1]);
    }
  });
});

test.runIf(process.platform === 'linux')(
  'SIGTERM ends a wait for an answer that does not arrive',
  patient,
  async ({ place, expect }) => {
    const { begin } = await open(place);
    const run = await begin();
    run.killGroup('SIGTERM');
    expect((await run.ended).code).toBe(143);
    await until('the end of all its processes', () => !existsSync(`/proc/${run.pid()}`));
  },
);
