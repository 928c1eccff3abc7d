import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeOf } from '../../../test/fixtures/review-answers.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { RunRow } from '../../engine/postgres/run-rows.ts';
import { takeLock } from '../../engine/lock/lock.ts';
import { systemClock } from '../../system/clock.ts';
import { recordDrive, recordRun, removeDeadCopies } from '../folder/dead-copies.ts';
import { keptFolderIn, openStateFolder } from '../folder/state-folder.ts';
import type { ReviewRunInput } from '../folder/run-input.ts';
import { prepareReview, takeChange } from '../review/prepare.ts';
import { reviewOptions } from '../review-options.test-helper.ts';
import { writePortable } from './portable-input.ts';
import { withScratchRun } from './scratch-run.ts';

async function prepare(providerSettings: Readonly<Record<string, Readonly<Record<string, string>>>> = {}) {
  const folder = scratchFolder();
  const env = { HOME: folder, PATH: '/usr/bin:/bin' };
  writeFileSync(join(folder, 'change.diff'), changeOf(1));
  const options = reviewOptions({
    cwd: folder,
    env,
    change: { kind: 'file', path: join(folder, 'change.diff') },
    settings: { advisor: 'static_review' },
    reports: [{ format: 'json', file: join(folder, 'report.json') }],
    providerSettings,
  });
  const input = await prepareReview(options, await takeChange(options));
  return { folder, env, input };
}

function rowOf(input: ReviewRunInput): RunRow {
  const runId = '20261128-210000-abcd';
  const text = writePortable(input, null);
  return {
    runId,
    tenant: 'local',
    conversation: runId,
    input: text,
    tree: null,
    state: 'driven',
    cancelAsked: false,
  };
}

test('another run on this machine leaves the copy of a submitted run to it while it is driven', async () => {
  const { env, input } = await prepare();
  const row = rowOf(input);
  const options = { env, clock: systemClock };
  const state = openStateFolder(row.runId, options);
  const copy = keptFolderIn(state);
  mkdirSync(copy);
  await withScratchRun(row, { env, trees: null }, async ({ path }) => {
    recordRun(state, path);
    await removeDeadCopies(options, 'another');
    expect(existsSync(copy)).toBe(true);
  });
  await removeDeadCopies(options, 'another');
  expect(existsSync(copy)).toBe(false);
});

test('another run on this machine removes the folder of a drive whose worker is dead, and no other', async () => {
  const { env, input } = await prepare();
  const options = { env, clock: systemClock };
  const row = rowOf(input);
  const [own, starting] = [`${row.runId}.drive`, `${row.runId}.starting`].map((name) =>
    openStateFolder(name, options),
  );
  mkdirSync(join(own ?? '', 'tree'));
  await withScratchRun(row, { env, trees: null }, async ({ path }) => {
    recordDrive(own ?? '', path);
    await removeDeadCopies(options, 'another');
    expect(existsSync(own ?? '')).toBe(true);
  });
  await removeDeadCopies(options, 'another');
  expect([existsSync(own ?? ''), existsSync(starting ?? '')]).toEqual([false, true]);
});

test('the temporary folder of a killed worker is removed at once, and no folder that a worker uses or is about to use', async () => {
  const { folder, env, input } = await prepare();
  const options = { env, clock: systemClock, temporaryFolder: folder };
  const [dead, used, empty, starting] = ['killed', 'in_use', 'empty1', 'starts'].map((name) => {
    const scratch = join(folder, `collab-run-${name}`);
    mkdirSync(scratch, { mode: 0o700 });
    return scratch;
  });
  const row = rowOf(input);
  mkdirSync(join(starting ?? '', row.runId));
  writeRunOf(dead, row, { socket: join(folder, 'gone/s'), pid: 1 });
  // A repository may have a file of any name.
  writeRunOf(used, { ...row, runId: 'files' }, { socket: join(folder, 'gone/s'), pid: 1 });
  const lock = await takeLock(join(used ?? '', row.runId));
  await removeDeadCopies(options);
  expect([dead, used, empty, starting].map((path) => existsSync(path ?? ''))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(lock.checkStillOurs()).toBe(true);
  await lock.release();
  await removeDeadCopies(options);
  expect(existsSync(used ?? '')).toBe(false);
});

/** The folder of a run as its owner leaves it. */
function writeRunOf(parent = '', { runId }: RunRow, owner: object): void {
  mkdirSync(join(parent, runId));
  writeFileSync(join(parent, runId, 'lock.1'), JSON.stringify(owner));
}

test('programs and addresses are those of the machine that drives the run, whatever its input says', async () => {
  const { input } = await prepare({ codex: { effort: 'high' } });
  const named = {
    'codex.path': 'src/codex',
    'other.folder': 'src',
    'anthropic.base_url': 'https://elsewhere.example',
  };
  const hostile = {
    ...input,
    advisor: { ...input.advisor, settings: { ...input.advisor.settings, ...named } },
  };
  const row = { ...rowOf(input), input: JSON.stringify(hostile) };
  const providerSettings = {
    'codex.path': '/opt/codex',
    'codex.effort': 'low',
    'anthropic.base_url': 'https://own.example',
  };
  await withScratchRun(row, { env: {}, trees: null }, async (run) => {
    expect(run.input.advisor.settings).toEqual({ 'codex.effort': 'high' });
    expect(run.input.reports).toEqual([]);
  });
  await withScratchRun(row, { env: {}, trees: null, providerSettings }, async (run) => {
    expect(run.input.advisor.settings).toEqual({
      'codex.effort': 'high',
      'codex.path': '/opt/codex',
      'anthropic.base_url': 'https://own.example',
    });
  });
});

test('a submitted input names no folder, report or program of the machine that submits it', async () => {
  const { folder, input } = await prepare({ codex: { path: '/opt/codex/bin/codex', effort: 'high' } });
  const text = writePortable(input, null);
  expect(text).not.toContain(folder);
  expect(text).not.toContain('/opt/codex');
  await withScratchRun(rowOf(input), { env: {}, trees: null }, async (run) => {
    expect(run.input).toMatchObject({ kind: 'review', reports: [], notes: input.notes });
    expect(run.input.cwd).not.toBe('');
    expect(existsSync(run.input.cwd)).toBe(true);
  });
});
