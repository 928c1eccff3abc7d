/** Runs in a process of their own, of an engine that says what the test wants: a small program takes the place of `collab`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { openRun } from '../../runs/folder/opened-run.ts';
import type { Clock } from '../../system/clock.ts';
import { sessionIn, type SessionHow } from '../command.test-helper.ts';
import { detach } from './detach.ts';
import { follow } from './follow.ts';
import { driveApart } from './start-apart.ts';

interface Apart {
  /** Returns true if a process drives the run, asked for the nth time. */
  readonly isDriven?: (times: number) => boolean;
  readonly state?: string | null;
  readonly cwd?: string;
  readonly how?: SessionHow;
}

/** A run whose own process is this program. */
function apart(program: string, { isDriven = () => false, state = null, cwd, how = {} }: Apart = {}) {
  const [root, path] = [scratchFolder(), scratchFolder()];
  const file = join(root, 'collab.mjs');
  writeFileSync(file, program);
  const before = process.argv[1] ?? '';
  process.argv[1] = file;
  onTestFinished(() => void (process.argv[1] = before));
  let times = 0;
  const engine = {
    isDriven: async () => isDriven((times += 1)),
    result: async () => {
      if (state === 'unreadable') throw new Error('unreadable');
      return state === null ? null : { state };
    },
  };
  const env = { PATH: process.env['PATH'] ?? '', CLAUDECODE: '1', GIVEN: 'given' };
  const { session, printed } = sessionIn(
    { root: cwd ?? root, env },
    // oxlint-disable-next-line no-unsafe-type-assertion -- what is asked of an engine
    { engine: engine as unknown as Engine, ...how },
  );
  const found = openRun({ runId: 'r1', path });
  return { session, printed, found, path, times: () => times };
}

const words = 'console.log(process.argv.slice(2).join(" "), process.env.CLAUDECODE, process.env.GIVEN);';

test('a run is left to its process once that drives it', async () => {
  const { session, printed, found, path, times } = apart(words, { isDriven: (asked) => asked === 3 });
  expect(await detach(session, found)).toBe(0);
  const { out, err } = printed();
  expect([JSON.parse(out), out.endsWith('}\n'), err, times()]).toEqual([
    { run: 'r1', next: 'collab wait r1 --remote --timeout 9m' },
    true,
    '',
    3,
  ]);
  const output = join(path, 'detached.out');
  await vi.waitUntil(() => readFileSync(output, 'utf8') !== '', { interval: 5, timeout: 20_000 });
  expect(readFileSync(output, 'utf8')).toBe('resume r1 undefined given\n');
});

test.each(['ended', 'waiting'])(
  'a quick process has left its run %s before it is looked for',
  async (state) => {
    const { session, printed, found } = apart('', { state });
    await driveApart(session, found);
    expect(printed()).toEqual({ out: '', err: '' });
  },
);

test.each(['running', 'unreadable', null])(
  'a process that ends with the run %s is a fault',
  async (state) => {
    const { session, printed, found, path } = apart('console.error("first\\nlast\\n");', { state });
    const log = join(path, 'detached.log');
    writeFileSync(log, 'of an earlier process\n');
    expect(await refusalOf(detach(session, found))).toEqual({
      code: 'internal',
      message: 'the background process ended immediately: last',
      hint: `see ${log}`,
    });
    expect([printed(), readFileSync(log, 'utf8')]).toEqual([
      { out: '', err: '' },
      'of an earlier process\nfirst\nlast\n\n',
    ]);
  },
);

test('a process that cannot be started is a fault', async () => {
  const nowhere = { cwd: join(scratchFolder(), 'gone') };
  const { session, found, path } = apart('', nowhere);
  expect(await refusalOf(detach(session, found))).toEqual({
    code: 'internal',
    message: 'the background process ended immediately: ',
    hint: `see ${join(path, 'detached.log')}`,
  });
  const followed = apart('', nowhere);
  expect(await follow(followed.session, followed.found, { followMs: 0 })).toBe(4);
  expect(followed.printed().err).toBe("the run's process has ended; continue it: collab resume r1\n");
});

test('what the process prints is passed on, without what was there before, and so is its exit code', async () => {
  const program = `${words} process.stdout.write("é"); console.error("worked"); process.exitCode = 7;`;
  const { session, printed, found, path, times } = apart(program);
  writeFileSync(join(path, 'detached.log'), 'earlier log\n');
  writeFileSync(join(path, 'detached.out'), 'earlier report\n');
  const flags = { followMs: 60_000, format: 'json', ascii: true, verbose: false } as const;
  expect(await follow(session, found, flags)).toBe(7);
  expect([printed(), times()]).toEqual([
    { out: 'resume r1 --format json --ascii undefined given\né', err: 'worked\n' },
    0,
  ]);
});

/** A clock that moves by half a second with each sleep. */
function quickClock() {
  let now = 0;
  const clock: Clock = {
    now: () => now,
    sleep: async () => void (now += 500),
  };
  return { clock, now: () => now };
}

test('a run that is still driven after the time limit is left alone', async () => {
  const { clock, now } = quickClock();
  const { session, printed, found, times } = apart('', {
    isDriven: (asked) => asked === 2,
    how: { clock },
  });
  expect(await follow(session, found, { followMs: 1000, verbose: true })).toBe(11);
  expect([printed(), now(), times()]).toEqual([
    { out: 'r1 is still running; wait again: collab wait r1 --remote --timeout 9m\n', err: '' },
    1500,
    2,
  ]);
});

test('a signal leaves the run to its process', async () => {
  const stop = new AbortController();
  const clock: Clock = {
    now: () => 0,
    sleep: async () => {
      stop.abort();
      throw new Error('SIGTERM');
    },
  };
  const { session, printed, found } = apart('', {
    how: { clock, signal: stop.signal, endedBy: () => 'SIGTERM' },
  });
  expect(await follow(session, found, { followMs: 1000 })).toBe(143);
  expect(printed()).toEqual({
    out: '',
    err: 'r1 is still running; wait again: collab wait r1 --remote --timeout 9m\n',
  });
});
