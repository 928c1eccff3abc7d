import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { takeLock } from '../../engine/lock/lock.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { createConversationFolder } from '../../runs/conversation/store.ts';
import { reviewInput, savedRun } from '../../runs/folder/saved-runs.test-helper.ts';
import { systemClock } from '../../system/clock.ts';
import { collab } from '../command.test-helper.ts';
import { engineWithRun, nowhere, openedRun, runId, standing } from '../engine/engine-with-run.test-helper.ts';
import { changedRepository, reviewed } from '../reviewed.test-helper.ts';

test('ended runs are listed, and only then removed', async () => {
  const repository = changedRepository();
  const { run } = await reviewed(repository);
  const folder = join(repository.root, '.collab/runs', run);
  expect(await collab(repository, ['clean', '--dry-run'])).toEqual({
    code: 0,
    out: `would remove ${run} (ended)\n`,
    err: '',
  });
  expect(existsSync(folder)).toBe(true);
  expect(await collab(repository, ['clean'])).toEqual({ code: 0, out: `removed ${run} (ended)\n`, err: '' });
  expect(existsSync(folder)).toBe(false);
  expect(await collab(repository, ['clean'])).toEqual({ code: 0, out: 'nothing to remove\n', err: '' });
  expect((await collab(repository, ['runs'])).out).toBe('no runs here\n');
});

test('a run that cannot be read stays, with the reason', async () => {
  const repository = changedRepository();
  const { run } = await reviewed(repository);
  const folder = join(repository.root, '.collab/runs', run);
  writeFileSync(join(folder, 'result.json'), '{}');
  writeFileSync(join(folder, 'journal.jsonl'), 'no record\nno record\n');
  const { code, out, err } = await collab(repository, ['clean', '--all']);
  expect([code, err]).toEqual([0, expect.stringMatching(new RegExp(`^kept ${run}: .*\n$`))]);
  expect(out).not.toContain(run);
  expect((await collab(repository, ['stats'])).err).toBe(`${run} cannot be read and is not counted\n`);
});

test('an interrupted run is removed with --all alone', async () => {
  const repository = changedRepository();
  const { run } = await reviewed(repository);
  const folder = join(repository.root, '.collab/runs', run);
  rmSync(join(folder, 'result.json'));
  const journal = readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
  writeFileSync(join(folder, 'journal.jsonl'), `${journal.slice(0, -1).join('\n')}\n`);
  const status = await collab(repository, ['status']);
  expect(status.out).toContain(`\n  next     continue it: collab resume ${run}\n`);
  expect((await collab(repository, ['show'])).err).toBe(`${run} is interrupted: collab status ${run}\n`);
  expect((await collab(repository, ['wait'])).err).toBe(
    `${run} was interrupted; continue it: collab resume ${run}\n`,
  );
  expect((await collab(repository, ['clean'])).out).toBe('nothing to remove\n');
  expect((await collab(repository, ['clean', '--all'])).out).toMatch(`removed ${run} (interrupted)\n`);
});

test('--all also removes conversations that no process has open, cached answers and kept files', async () => {
  const root = scratchFolder();
  const env = { HOME: root, XDG_STATE_HOME: join(root, 'state') };
  const home = join(root, '.collab');
  const [open, closed] = [
    createConversationFolder(home, systemClock),
    createConversationFolder(home, systemClock),
  ];
  const lock = await takeLock(open.path);
  onTestFinished(() => lock.release());
  for (const folder of ['.collab/cache', 'state/collab/store/one', 'state/collab/store/two'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const name of ['one', 'two']) writeFileSync(join(root, `.collab/cache/${name}.json`), '{}');
  const clean = (...flags: readonly string[]) => collab({ root, env }, ['clean', ...flags]);
  const lines = (verb: string) => ({
    code: 0,
    out: [
      `${verb} ${closed.id} (conversation)`,
      `${verb} the cache (2 answers)`,
      `${verb} kept files of 2 repositories`,
      '',
    ].join('\n'),
    err: '',
  });
  const nothing = { code: 0, out: 'nothing to remove\n', err: '' };
  expect(await clean()).toEqual(nothing);
  expect(await clean('--dry-run')).toEqual(nothing);
  expect(await clean('--all', '--dry-run')).toEqual(lines('would remove'));
  expect(existsSync(closed.path)).toBe(true);
  expect(await clean('--all')).toEqual(lines('removed'));
  expect([closed, open].map(({ path }) => existsSync(path))).toEqual([false, true]);
  expect(await clean('--all')).toEqual(nothing);
});

test('without --all, answers that are too old leave the cache', async () => {
  const root = scratchFolder();
  mkdirSync(join(root, '.collab/cache'), { recursive: true });
  for (const name of ['old', 'new']) writeFileSync(join(root, `.collab/cache/${name}.json`), '{}');
  utimesSync(join(root, '.collab/cache/old.json'), 0, 0);
  const clean = (...flags: readonly string[]) => collab({ root, env: { HOME: root } }, ['clean', ...flags]);
  expect((await clean('--dry-run')).out).toBe('nothing to remove\n');
  expect(readdirSync(join(root, '.collab/cache'))).toHaveLength(2);
  expect(await clean()).toEqual({ code: 0, out: '', err: '' });
  expect(readdirSync(join(root, '.collab/cache'))).toEqual(['new.json']);
});

/** An engine with a run whose state cannot be read. */
function failing(error: Error) {
  return engineWithRun(openedRun(reviewInput()), {
    list: async () => [{ runId, path: '' }],
    async status() {
      throw error;
    },
  });
}

test('an error that is not about one run ends the cleaning', async () => {
  const { code, err } = await collab(nowhere, ['clean'], { engine: failing(new TypeError('a bug')) });
  expect([code, err.split('\n')[0]]).toEqual([4, 'collab: internal error: a bug']);
  const root = scratchFolder();
  const unreadable = { engine: failing(new CollabError('journal_corrupt', 'the \u001b[2J journal')) };
  expect(await collab({ root, env: { HOME: root } }, ['clean'], unreadable)).toEqual({
    code: 0,
    out: 'nothing to remove\n',
    err: `kept ${runId}: the ␛[2J journal\n`,
  });
});

test('a run that another process continues meanwhile, or cannot be removed, stays', async () => {
  const root = scratchFolder();
  const { path } = savedRun(join(root, '.collab'), runId, reviewInput(), report());
  const engine = engineWithRun(openedRun(reviewInput()), {
    list: async () => [{ runId, path }],
    status: async () => standing('ended'),
  });
  const clean = () => collab({ root, env: { HOME: root } }, ['clean'], { engine });
  const lock = await takeLock(path);
  expect(await clean()).toEqual({ code: 0, out: 'nothing to remove\n', err: '' });
  await lock.release();
  writeFileSync(join(path, 'edits.json'), '{"schema":"collab.edits/v1"}');
  expect(await clean()).toEqual({
    code: 0,
    out: 'nothing to remove\n',
    err: `kept ${runId}: ${path}/edits.json was changed since the run wrote it\n`,
  });
  expect(existsSync(path)).toBe(true);
});
