import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  scratchFolder,
  scratchRepository,
  type ScratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import { openWorkingCopy } from './working-copy.ts';

function dirtyRepository(): ScratchRepository {
  const user = scratchRepository();
  user.write('a.txt', 'one\n');
  user.write('sub/b.txt', 'b\n');
  user.commit('first');
  user.write('a.txt', 'dirty\n');
  return user;
}

function runOf({ root }: ScratchRepository, runId: string, state = scratchFolder()) {
  const folder = join(state, runId, 'work');
  const runFolder = join(state, runId, 'run');
  mkdirSync(runFolder, { recursive: true });
  const open = (env: Readonly<Record<string, string | undefined>>) =>
    openWorkingCopy({ cwd: root, folder, runId, runFolder, env });
  return { open, folder, runFolder };
}

/** Returns the environment of a process that can be killed just before it starts git for the n-th time. */
function mortal(env: Readonly<Record<string, string>>) {
  let left = Number.POSITIVE_INFINITY;
  const { PATH } = env;
  const killable: Record<string, string | undefined> = Object.defineProperty({ ...env }, 'PATH', {
    enumerable: true,
    get() {
      left -= 1;
      if (left <= 0) throw new Error('killed');
      return PATH;
    },
  });
  const wasKilledAt = async (n: number, work: () => Promise<unknown>): Promise<boolean> => {
    left = n;
    return work().then(
      () => false,
      (error: unknown) => String(error).includes('killed'),
    );
  };
  return { env: killable, wasKilledAt };
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => name !== '.git' && statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const foundFiles = { 'a.txt': 'dirty\n', 'sub/b.txt': 'b\n' };
const found = 'The working tree as the run found it';

const unhurried = { timeout: 120_000 };

test('killed before any git call, opening can be repeated with the same result', unhurried, async () => {
  const user = dirtyRepository();
  const state = scratchFolder();
  let kills = 0;
  for (let killed = true; killed; kills += Number(killed)) {
    const run = runOf(user, `r${kills}`, state);
    const { env, wasKilledAt } = mortal(user.env);
    killed = await wasKilledAt(kills + 1, () => run.open(env));
    const copy = await run.open(user.env);
    expect(filesIn(run.folder)).toEqual(foundFiles);
    expect(user.git('log', '--format=%s', `collab/r${kills}`)).toBe(`${found}\nfirst\n`);
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: run.folder, env: user.env });
    expect(status.toString()).toBe('');
    await copy.close();
  }
  expect(kills).toBeGreaterThan(15);
});

test('killed before any git call, a commit is repeated and made once', unhurried, async () => {
  const user = dirtyRepository();
  const state = scratchFolder();
  let kills = 0;
  for (let killed = true; killed; kills += Number(killed)) {
    const run = runOf(user, `r${kills}`, state);
    const { env, wasKilledAt } = mortal(user.env);
    const first = await run.open(env);
    writeFileSync(join(run.folder, 'a.txt'), 'led\n');
    const tree = await first.snapshot();
    killed = await wasKilledAt(kills + 1, () => first.commit(tree, 'work'));
    const copy = await run.open(user.env);
    const head = await copy.commit(tree, 'work');
    expect(user.git('log', '--format=%s %H', `collab/r${kills}`).split('\n', 2)).toEqual([
      `work ${head}`,
      `${found} ${copy.base}`,
    ]);
    expect(filesIn(run.folder)).toEqual({ ...foundFiles, 'a.txt': 'led\n' });
    await copy.close();
  }
  expect(kills).toBeGreaterThan(10);
});

test('killed after the branch moved but before this was recorded, a commit is made once', async () => {
  const user = dirtyRepository();
  const run = runOf(user, 'r1');
  const first = await run.open(user.env);
  const record = join(run.runFolder, 'edits.git/commits.json');
  const before = readFileSync(record);
  writeFileSync(join(run.folder, 'a.txt'), 'led\n');
  const tree = await first.snapshot();
  const head = await first.commit(tree, 'work');
  writeFileSync(record, before);
  const again = await run.open(user.env);
  expect([again.head(), await again.commit(tree, 'work'), again.head()]).toEqual([first.base, head, head]);
  expect(user.git('rev-parse', 'collab/r1').trim()).toBe(head);
});

test('killed before any git call, a lost folder is written again completely', unhurried, async () => {
  const user = dirtyRepository();
  const run = runOf(user, 'r1');
  const first = await run.open(user.env);
  writeFileSync(join(run.folder, 'a.txt'), 'led\n');
  await first.commit(await first.snapshot(), 'work');
  let kills = 0;
  for (let killed = true; killed; kills += Number(killed)) {
    rmSync(run.folder, { recursive: true });
    const { env, wasKilledAt } = mortal(user.env);
    killed = await wasKilledAt(kills + 1, () => run.open(env));
    await run.open(user.env);
    expect(filesIn(run.folder)).toEqual({ ...foundFiles, 'a.txt': 'led\n' });
  }
  expect(kills).toBeGreaterThan(10);
});
