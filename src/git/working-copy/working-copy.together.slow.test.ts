import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import type { Clock } from '../../system/clock.ts';
import { openWorkingCopy } from './working-copy.ts';

function openIn(
  user: { readonly root: string; readonly env: Readonly<Record<string, string>> },
  runId: string,
  clock?: Clock,
) {
  const folder = join(scratchFolder(), 'work');
  const timed = clock === undefined ? {} : { clock };
  return openWorkingCopy({
    cwd: user.root,
    folder,
    runId,
    runFolder: scratchFolder(),
    env: user.env,
    ...timed,
  });
}

test('ten parallel runs in one repository do not affect each other', { timeout: 120_000 }, async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.commit('first');
  user.write('a.txt', 'dirty\n');
  const runs = Array.from({ length: 10 }, (_, index) => `r${index}`);
  const copies = await Promise.all(
    runs.map(async (runId) => {
      const copy = await openIn(user, runId);
      for (const round of ['1', '2']) {
        writeFileSync(join(copy.folder, 'a.txt'), `${runId} ${round}\n`);
        await copy.commit(await copy.snapshot(), `round ${round}`);
      }
      return copy;
    }),
  );
  for (const [index, copy] of copies.entries()) {
    expect(user.git('show', `collab/r${index}:a.txt`)).toBe(`r${index} 2\n`);
    expect(user.git('rev-list', '--count', `main..collab/r${index}`).trim()).toBe('3');
    expect(readFileSync(join(copy.folder, 'a.txt'), 'utf8')).toBe(`r${index} 2\n`);
  }
  expect(user.git('worktree', 'list').trim().split('\n')).toHaveLength(11);
  await Promise.all(copies.map((copy) => copy.close()));
  expect(user.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(user.git('fsck', '--no-dangling')).toBe('');
  expect(readFileSync(join(user.root, 'a.txt'), 'utf8')).toBe('dirty\n');
});

test('the branch lock of a killed git is waited for, then removed', async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.commit('first');
  let slept = 0;
  const clock: Clock = { now: () => 0, sleep: async () => void (slept += 1) };
  const copy = await openIn(user, 'r1', clock);
  const lock = join(user.root, '.git/refs/heads/collab/r1.lock');
  writeFileSync(lock, '');
  writeFileSync(join(copy.folder, 'a.txt'), 'two\n');
  const head = await copy.commit(await copy.snapshot(), 'work');
  expect(user.git('rev-parse', 'collab/r1').trim()).toBe(head);
  expect(slept).toBeGreaterThan(10);
  expect(existsSync(lock)).toBe(false);
});

test('an existing branch named collab is reported as a conflict', async () => {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.commit('first');
  user.git('branch', 'collab');
  expect(await refusalOf(openIn(user, 'r1'))).toEqual({
    code: 'input',
    message: expect.stringMatching(/^the branch collab\/r1 cannot be written: .*refs\/heads\/collab/),
    hint: 'If there is a branch named "collab", rename it with git branch -m.',
  });
});
