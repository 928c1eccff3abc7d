import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { consultInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { Deferred } from '../../system/deferred.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { collab } from '../command.test-helper.ts';
import { scriptDatabase, type Answer, type ScriptedDatabase } from './scripted-database.test-helper.ts';

interface Queue {
  /** The runs to take, each gone when its worker reads it, and how often it lost its worker. */
  readonly tasks?: readonly (readonly [runId: string, lost: number])[];
  /** Called when a worker asks for a run and there is none. Default: SIGTERM. */
  readonly onEmpty?: (stop: () => void, database: ScriptedDatabase) => void;
  /** Settles when the runs can be read. */
  readonly readable?: Promise<void>;
  /** More answers of the database. */
  readonly answers?: Readonly<Record<string, Answer>>;
}

/** A worker at a queue, until it stops. */
async function work(
  flags: readonly string[],
  { tasks = [], onEmpty = (stop) => stop(), readable, answers }: Queue = {},
) {
  const root = scratchFolder();
  const stopping = new AbortController();
  const left = [...tasks];
  const database = scriptDatabase({
    'returning task.run_id'() {
      const [next] = left.splice(0, 1);
      if (next === undefined) onEmpty(() => stopping.abort(), database);
      return next === undefined ? [] : [{ run_id: next[0], lost: next[1], fault: null }];
    },
    async 'select run.id as "runId", run.tenant'() {
      await readable;
      return [];
    },
    ...answers,
  });
  const ended = await collab(
    { root, env: { HOME: root } },
    ['worker', '--engine', 'postgres://db/collab', ...flags],
    {
      signal: stopping.signal,
      clock: createManualClock(),
    },
  );
  return { ...ended, database };
}

const ready = `is ready on ${hostname()} (process ${process.pid}), and drives 0 of`;

test('a worker says each run that it takes and leaves, and ends in order on SIGTERM', async () => {
  const { code, out, err, database } = await work([], {
    tasks: [
      ['r1', 0],
      ['r2', 1],
    ],
  });
  expect([code, out]).toEqual([0, '']);
  expect(err).toBe(
    [
      `worker 7: ${ready} 1 runs`,
      'worker 7: takes r1',
      'worker 7: r1 is removed',
      'worker 7: takes over r2',
      'worker 7: r2 is removed',
      'worker 7: takes no more runs, and drives 0 of 1 runs',
      'worker 7: has stopped',
      '',
    ].join('\n'),
  );
  expect([database.opened, database.openConnections()]).toEqual([['postgres://db/collab'], 0]);
  expect(database.asked.some(({ sql }) => sql.includes('pg_advisory_xact_lock'))).toBe(true);
});

test('a worker that drains waits for the runs that it drives', async () => {
  const readable = new Deferred<void>();
  const { code, err } = await work(['--runs', '2'], {
    tasks: [['r1', 0]],
    readable: readable.promise,
    onEmpty(stop) {
      stop();
      readable.resolve();
    },
  });
  expect(code).toBe(0);
  expect(err).toMatch(
    /takes r1\nworker 7: takes no more runs, and drives 1 of 2 runs\nworker 7: r1 is removed\nworker 7: has stopped\n$/,
  );
});

test('the log for programs has a line of JSON for each event', async () => {
  const { err } = await work(['--log', 'json'], { tasks: [['r1', 0]] });
  const lines: readonly unknown[] = err
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const common = { time: '2026-11-21T09:30:00.000000Z', level: 'info', worker: 7 };
  expect(lines).toEqual([
    { ...common, event: 'worker_ready', message: `${ready} 1 runs` },
    { ...common, event: 'run_taken', run: 'r1', message: 'takes r1' },
    { ...common, event: 'run_left', run: 'r1', message: 'r1 is removed' },
    { ...common, event: 'worker_drains', message: 'takes no more runs, and drives 0 of 1 runs' },
    { ...common, event: 'worker_stopped', message: 'has stopped' },
  ]);
});

test('a worker whose place others have is out of the database, and ends with 4', async () => {
  const { code, err } = await work(['--log', 'json'], {
    onEmpty: (_stop, database) => database.breakConnections(),
  });
  expect([code, JSON.parse(err.trimEnd().split('\n').at(-1) ?? '')]).toEqual([
    4,
    expect.objectContaining({
      level: 'error',
      event: 'database_lost',
      message: 'has lost the database: others drive its runs',
    }),
  ]);
});

test('a worker returns its runs to the queue when its time after SIGTERM is over', async () => {
  const script = join(scratchFolder(), 'script.yaml');
  writeFileSync(script, 'turns: [{ fault: never }]\n');
  const { advisor } = consultInput();
  const input = consultInput({ advisor: { ...advisor, provider: 'rehearsal', model: script } });
  const row = {
    runId: 'r1',
    tenant: 'local',
    conversation: 'c1',
    tree: null,
    state: 'driven',
    cancelAsked: false,
  };
  const { code, err, database } = await work(['--runs', '2', '--grace', '1ms'], {
    tasks: [['r1', 0]],
    answers: {
      'select run.id as "runId", run.tenant': () => [{ ...row, input: JSON.stringify(input) }],
      'for update': () => [{ owner: null, owned_at: null }],
      'returning generation': () => [{ generation: 1 }],
      'select id from mine': () => [{ id: 'r1' }],
      'select run.id from collab.run': () => [{ id: 'r1' }],
    },
  });
  expect([code, err.split('\n').slice(-4)]).toEqual([
    0,
    [
      'worker 7: takes no more runs, and drives 1 of 2 runs',
      'worker 7: r1 is back in the queue',
      'worker 7: has stopped',
      '',
    ],
  ]);
  expect(database.asked.some(({ sql }) => sql.includes("state = 'queued', worker = null"))).toBe(true);
});

test('a worker gives a sign of life every 30 seconds, until it has stopped', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { err } = await work(['--runs', '3'], {
    onEmpty(stop) {
      vi.advanceTimersByTime(59_999);
      stop();
    },
  });
  expect(err.split('\n').slice(1)).toEqual([
    'worker 7: drives 0 of 3 runs',
    'worker 7: takes no more runs, and drives 0 of 3 runs',
    'worker 7: has stopped',
    '',
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [[], [['review', 'consult', 'workflow'], null]],
  [
    ['--kinds', 'consult, review,consult', '--providers', 'codex, static_review,'],
    [
      ['review', 'consult'],
      ['codex', 'static_review'],
    ],
  ],
])('a worker with %j asks for these kinds and providers', async (flags, wanted) => {
  const { database } = await work(flags);
  const [first] = database.asked.filter(({ sql }) => sql.includes('returning task.run_id'));
  expect(first?.values.slice(0, 3)).toEqual([7, ...wanted]);
});
