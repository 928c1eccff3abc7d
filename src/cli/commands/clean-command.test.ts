import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collab } from '../command.test-helper.ts';
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
