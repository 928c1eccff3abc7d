import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { collabHome, createRunFolder, listRuns, newRunId, resolveRun } from './run-folder.ts';
import { writeAtomically } from '../../system/files/write.ts';

let cwd = '';
let home = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'collab-home-'));
  home = join(cwd, '.collab');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

test('runs are in .collab of the working folder; COLLAB_HOME moves it', () => {
  expect([
    collabHome({ cwd, env: {} }),
    collabHome({ cwd, env: { COLLAB_HOME: '' } }),
    collabHome({ cwd, env: { COLLAB_HOME: '/elsewhere' } }),
    collabHome({ cwd, env: { COLLAB_HOME: 'beside' } }),
  ]).toEqual([home, home, '/elsewhere', join(cwd, 'beside')]);
});

test('COLLAB_HOME in the repository is refused, except in a .collab', () => {
  mkdirSync(join(cwd, 'shop/.git'), { recursive: true });
  mkdirSync(join(cwd, 'shop/src'));
  const homeOf = (moved: string) =>
    collabHome({ cwd: join(cwd, 'shop/src'), env: { COLLAB_HOME: moved } }).slice(cwd.length);
  for (const inside of ['.', '..', 'state', '../state/runs', join(cwd, 'shop')]) {
    expect(() => homeOf(inside)).toThrow(/^COLLAB_HOME is .*, which is in the repository .*shop$/);
  }
  expect(['../..', '../../shop.state', '../.collab', '../build/.collab/mine'].map(homeOf)).toEqual([
    '',
    '/shop.state',
    '/shop/.collab',
    '/shop/build/.collab/mine',
  ]);
});

test('run ids sort by time', async () => {
  const clock = createManualClock();
  const first = newRunId(clock);
  await clock.advance(1000);
  expect(first).toMatch(/^20261121-093000-[a-z2-9]{4}$/);
  expect(newRunId(clock)).toMatch(/^20261121-093001-[a-z2-9]{4}$/);
});

test('the first run creates the home, private and outside of git', () => {
  const { runId, path } = createRunFolder(home, createManualClock());
  expect(path).toBe(join(home, 'runs', runId));
  expect(readFileSync(join(home, '.gitignore'), 'utf8')).toBe('*\n');
  expect([home, join(home, 'runs'), path].map((folder) => statSync(folder).mode & 0o777)).toEqual([
    0o700, 0o700, 0o700,
  ]);
});

test('an existing .gitignore is kept', () => {
  mkdirSync(home);
  writeFileSync(join(home, '.gitignore'), 'runs\n');
  createRunFolder(home, createManualClock());
  expect(readFileSync(join(home, '.gitignore'), 'utf8')).toBe('runs\n');
});

test('a .collab that is a link is refused, and nothing is written through it', () => {
  const elsewhere = join(cwd, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, home);
  expect(() => createRunFolder(home, createManualClock())).toThrow(
    `${home} is a link; runs are not written through links`,
  );
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('runs are listed newest first; a folder without a journal is not a run', () => {
  expect(listRuns(home)).toEqual([]);
  for (const runId of ['20261121-093000-aaaa', '20261122-093000-bbbb']) makeRun(runId);
  mkdirSync(join(home, 'runs', '20261123-093000-cccc'));
  expect(listRuns(home).map(({ runId }) => runId)).toEqual(['20261122-093000-bbbb', '20261121-093000-aaaa']);
});

test('a file in the place of the runs is refused, and not taken for an empty home', () => {
  mkdirSync(home);
  writeFileSync(join(home, 'runs'), '');
  expect(() => listRuns(home)).toThrow(
    `${join(home, 'runs')} is a file; nothing is read or written through it`,
  );
});

test('a run is found by its id, its start or end, or as the latest', () => {
  for (const runId of ['20261121-093000-aaaa', '20261122-093000-bbbb']) makeRun(runId);
  const found = ['20261121-093000-aaaa', '20261121', 'aaaa', 'latest', undefined].map(
    (wanted) => resolveRun(home, wanted).runId,
  );
  expect(found.map((runId) => runId.slice(-4))).toEqual(['aaaa', 'aaaa', 'aaaa', 'bbbb', 'bbbb']);
});

test('of many runs that could be meant, five are named', () => {
  for (let day = 10; day < 18; day += 1) makeRun(`202611${day}-093000-aaaa`);
  const error = errorOf(() => resolveRun(home, '2026'));
  expect(error).toMatchObject({
    message: expect.stringMatching(/^2026 could be 20261117-093000-aaaa or .* or one of 3 others$/),
    details: { candidates: { length: 8 } },
  });
});

test('a missing run is reported with the nearest id, or with all that could be meant', () => {
  expect(errorOf(() => resolveRun(home))).toMatchObject({
    code: 'run_not_found',
    message: `There is no run in ${home}`,
  });
  for (const runId of ['20261121-093000-aaaa', '20261122-093000-bbbb']) makeRun(runId);
  const notFound = ['20261121-093000-aaab', 'x', '202611', '../../etc'].map((wanted) =>
    errorOf(() => resolveRun(home, wanted)),
  );
  expect(notFound).toMatchObject([
    { message: 'There is no run 20261121-093000-aaab; the nearest is 20261121-093000-aaaa' },
    { message: 'There is no run x; the newest is 20261122-093000-bbbb' },
    { message: '202611 could be 20261122-093000-bbbb or 20261121-093000-aaaa' },
    { code: 'run_not_found' },
  ]);
});

test('a file is replaced completely, is private, and leaves no other file', () => {
  const file = join(cwd, 'result.json');
  writeAtomically(file, 'old');
  writeAtomically(file, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(cwd)).toEqual(['result.json']);
});

test('a file that cannot be replaced stays, and no other file is left', () => {
  const folder = join(cwd, 'result.json');
  mkdirSync(join(folder, 'full'), { recursive: true });
  expect(() => writeAtomically(folder, 'new')).toThrow(
    `${folder} is a folder; nothing is read or written through it`,
  );
  expect(readdirSync(cwd)).toEqual(['result.json']);
  expect(existsSync(join(folder, 'full'))).toBe(true);
});

function makeRun(runId: string): void {
  mkdirSync(join(home, 'runs', runId), { recursive: true });
  writeFileSync(join(home, 'runs', runId, 'journal.jsonl'), '');
}

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('a run that was created but not started yet is found', () => {
  const run = createRunFolder(home, createManualClock());
  writeFileSync(join(run.path, 'input.json'), '{}');
  expect(resolveRun(home, run.runId)).toEqual(run);
});

test('of two runs in one second the later one is the newest, whatever its random part', () => {
  const begin = (mark: string, moment: number) => {
    const { runId, path } = createRunFolder(home, createManualClock(), `20261121-093005-${mark}`);
    const file = join(path, 'input.json');
    writeFileSync(file, '{}');
    utimesSync(file, moment, moment);
    return runId;
  };
  const first = begin('zzzz', 1000.1);
  const second = begin('aaaa', 1000.2);
  const next = createRunFolder(home, createManualClock(), '20261121-093006-mmmm');
  writeFileSync(join(next.path, 'input.json'), '{}');
  utimesSync(join(next.path, 'input.json'), 1, 1);
  expect(listRuns(home).map(({ runId }) => runId)).toEqual([next.runId, second, first]);
  expect(resolveRun(home).runId).toBe(next.runId);
});
