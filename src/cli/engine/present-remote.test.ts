import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { lineOf } from '../../engine/journal/journal-line.ts';
import { journalRecords, type RecordDraft } from '../../events/journal-record.test-helper.ts';
import { smallDiff } from '../../runs/rehearsed-review.test-helper.ts';
import { systemClock } from '../../system/clock.ts';
import { collab, sessionIn, type SessionHow } from '../command.test-helper.ts';
import { startPlaceOf } from '../driving/place-of.ts';
import { presentRemote } from './present-remote.ts';
import { scriptDatabase } from './scripted-database.test-helper.ts';

/** The state to which workers brought the run that is submitted. */
interface Driven {
  readonly state?: 'queued' | 'driven' | 'asking' | 'done';
  readonly records?: readonly RecordDraft[];
  readonly result?: object;
  /** Called when the command looks for records. */
  readonly onLook?: () => void;
}

const started: RecordDraft = { type: 'run.started', name: 'review', tools: [], cwd: '' };
const ended: RecordDraft = {
  type: 'run.ended',
  status: 'success',
  outcome: 'findings',
  reasons: [],
  result: null,
  errors: [],
  duration_ms: 1,
  turns: 0,
};

/** A database with one run, the one that a command submits. */
function createDatabase({ state = 'done', records = [], result, onLook = () => undefined }: Driven = {}) {
  const rows: (readonly unknown[])[] = [];
  const lines = () =>
    journalRecords(records, { run_id: String(rows[0]?.[0]) }).map((event) => ({
      body: lineOf(event).text,
      seq: event.seq,
    }));
  const database = scriptDatabase({
    'insert into collab.task (run_id'(values) {
      rows.push(values);
      return [];
    },
    'select run.id as "runId", run.tenant': () =>
      rows.map(([runId, tenant, conversation, , input, tree]) => ({
        runId,
        tenant,
        conversation,
        input,
        tree,
        state,
        cancelAsked: false,
      })),
    'select state from collab.task': () => [{ state }],
    'select body from collab.run_event'([, after]) {
      onLook();
      return lines().filter(({ seq }) => seq > Number(after));
    },
    'select body from collab.run_file': () =>
      result === undefined ? [] : [{ body: JSON.stringify(result) }],
  });
  return { database, row: () => rows[0] ?? [] };
}

const address = 'postgres://db/collab';

/** Submits a review of a change on standard input. */
async function review(
  driven: Driven,
  flags: readonly string[] = [],
  how: SessionHow & { readonly env?: Record<string, string> } = {},
) {
  const { database, row } = createDatabase(driven);
  const root = scratchFolder();
  const env = { HOME: root, ...how.env };
  const args = ['review', '-', '--advisor', 'static_review', '--engine', address, ...flags];
  const done = await collab({ root, env }, args, { input: smallDiff, ...how, env });
  const id = String(row()[0]);
  expect([database.opened, database.openConnections()]).toEqual([[address], 0]);
  return { ...done, root, id, next: `collab wait ${id} --remote --timeout 9m`, row: row(), database };
}

test('a review is submitted and followed to its end; its reports are written here', async () => {
  const result = report();
  const flags = ['--format', 'json', '--report', 'markdown=out.md'];
  const done = await review({ records: [started, ended], result }, flags);
  expect([done.code, done.err, JSON.parse(done.out)]).toEqual([
    1,
    `${done.id} is submitted; it continues without this command: ${done.next}\n`,
    result,
  ]);
  expect(readFileSync(join(done.root, 'out.md'), 'utf8')).toContain('Total is rounded before tax');
  expect([done.row.slice(1, 4), done.row[10]]).toEqual([['local', done.id, 'review'], 0]);
});

test('without --format, the report is that of the configuration', async () => {
  const { code, out } = await review({ records: [started, ended], result: report({ exit_code: 3 }) });
  expect(code).toBe(3);
  expect(out).toMatch(/src\/checkout\/total\.ts:41: critical: Total is rounded before tax/);
});

test('a run of a CI job waits as one; --priority says otherwise', async () => {
  const env = { CI: 'true' };
  expect((await review({}, ['--detach'], { env })).row[10]).toBe(1);
  expect((await review({}, ['--detach', '--priority', 'batch'], { env })).row[10]).toBe(2);
});

test('--detach prints the run and the next command as JSON, and follows nothing', async () => {
  const { code, out, err, id, next, database } = await review({ state: 'queued' }, ['--detach']);
  expect([code, JSON.parse(out), err]).toEqual([0, { run: id, next }, '']);
  expect(database.asked.some(({ sql }) => sql.includes('run_event'))).toBe(false);
});

test('a run that ended without a result has failed', async () => {
  const { code, out, err, id } = await review({ state: 'done' });
  expect([code, out, err.split('\n').slice(1)]).toEqual([4, '', [`${id} ended without a result`, '']]);
});

/** A clock for which each look takes as long as two wait. */
function createQuickClock() {
  let now = systemClock.now();
  return { now: () => (now += 500), sleep: () => Promise.resolve() };
}

test('a run that asks is left with its question', async () => {
  const asks: RecordDraft = {
    type: 'question.asked',
    name: 'gate:design',
    kind: 'gate',
    text: 'Open it?',
    schema: { type: 'string', enum: ['approve'] },
  };
  const { code, out, id } = await review({ state: 'asking', records: [started, asks] }, [], {
    clock: createQuickClock(),
  });
  expect([code, out]).toEqual([
    10,
    `${id} asks:\n\nOpen it?\n\nTo answer, write approve; then\n  collab answer ${id} --remote --file -\n`,
  ]);
  const asJson = await review({ state: 'asking', records: [started, asks] }, ['--format', 'json'], {
    clock: createQuickClock(),
  });
  expect(JSON.parse(asJson.out)).toMatchObject({ name: 'gate:design', state: 'waiting' });
});

test('Ctrl-C leaves the run to its worker', async () => {
  const stop = new AbortController();
  const driven: Driven = { state: 'driven', records: [started], onLook: () => stop.abort(new Error('stop')) };
  const { code, out, err, next } = await review(driven, [], { signal: stop.signal, endedBy: () => 'SIGINT' });
  expect([code, out, err.split('\n').slice(1)]).toEqual([130, '', [`the run continues: ${next}`, '']]);
});

test('inside Claude Code, a run is followed for a while', async () => {
  const env = { CLAUDECODE: '1', COLLAB_FOLLOW: '1ms' };
  const { code, out, id, next } = await review({ state: 'driven', records: [started] }, [], { env });
  expect([code, out]).toEqual([11, `${id} is still running; wait again: ${next}\n`]);
});

test.each([
  ['consult', ['consult', 'design', '--file', '-', '--priority', 'batch']],
  ['workflow', ['run', 'Round once.', '--lead', 'rehearsal:script.yaml', '--priority', 'batch']],
])('a %s is submitted, too', async (kind, words) => {
  const { row } = createDatabase({ state: 'queued' });
  const root = scratchFolder();
  writeFileSync(join(root, 'script.yaml'), 'turns: []\n');
  const args = [...words, '--advisor', 'rehearsal:script.yaml', '--engine', address, '--detach'];
  const { code, out, err } = await collab(
    { root, env: { HOME: root, PATH: process.env['PATH'] ?? '' } },
    args,
    {
      input: 'Is it sound?',
    },
  );
  expect([code, err, JSON.parse(out)]).toMatchObject([0, '', { run: row()[0] }]);
  expect([row()[3], row()[10]]).toEqual([kind, 2]);
});

test('--remote alone takes the address of the environment, and closes it after the command', async () => {
  const database = scriptDatabase();
  const env = { COLLAB_ENGINE: address };
  const none = { code: 0, out: 'no runs\n', err: '' };
  expect(await collab({ root: '/', env }, ['runs', '--remote'])).toEqual(none);
  expect([database.opened, database.openConnections()]).toEqual([[address], 0]);
  expect((await collab({ root: '/', env }, ['status', '--remote'])).err).toBe(
    'collab: The database holds no submitted run\n  collab review --remote submits one.\n',
  );
  expect(database.openConnections()).toBe(0);
});

test('a fix does not travel', async () => {
  const root = scratchFolder();
  const { database } = createDatabase();
  const { session } = sessionIn({ root, env: { HOME: root } });
  const start = {
    request: { kind: 'fix' },
    shown: { engine: address },
    place: startPlaceOf(session),
  } as const;
  await expect(presentRemote(session, start)).rejects.toMatchObject({
    code: 'internal',
    message: 'fix does not travel',
  });
  expect(database.openConnections()).toBe(0);
});
