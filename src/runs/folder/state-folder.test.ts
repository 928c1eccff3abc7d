import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
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
import {
  openStateFolder,
  removeOldStateFolders,
  removeStateFolder,
  type StateFolderOptions,
} from './state-folder.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'collab-state-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the folder is in XDG_STATE_HOME, else in HOME, else in the temporary folder', () => {
  const [state, home] = [join(root, 'state'), join(root, 'home')];
  expect([
    openStateFolder('run-1', options({ XDG_STATE_HOME: state, HOME: home })),
    openStateFolder('run-2', options({ HOME: home })),
    openStateFolder('run-2', options({ XDG_STATE_HOME: 'relative', HOME: home })),
    openStateFolder('run-3', options({})),
  ]).toEqual([
    join(state, 'collab', 'run-1'),
    join(home, '.local', 'state', 'collab', 'run-2'),
    join(home, '.local', 'state', 'collab', 'run-2'),
    join(root, 'tmp', `collab-${process.getuid?.()}`, 'run-3'),
  ]);
});

test('it is private', () => {
  expect(statSync(openStateFolder('run-1', options({ HOME: root }))).mode & 0o777).toBe(0o700);
});

test('a place below a repository is skipped, also one reached through a link', () => {
  const repository = join(root, 'repository');
  mkdirSync(join(repository, '.git'), { recursive: true });
  mkdirSync(join(repository, 'deep'));
  symlinkSync(join(repository, 'deep'), join(root, 'link'));
  const home = join(root, 'home');
  const taken = ['repository', 'repository/deep', 'link'].map((place) =>
    openStateFolder('run-1', options({ XDG_STATE_HOME: join(root, place), HOME: home })),
  );
  const expected = join(home, '.local', 'state', 'collab', 'run-1');
  expect(taken).toEqual([expected, expected, expected]);
  expect(existsSync(join(repository, 'collab'))).toBe(false);
});

test('a worktree, whose .git is a file, counts as a repository', () => {
  writeFileSync(join(root, '.git'), 'gitdir: /elsewhere');
  expect(() => openStateFolder('run-1', options({ HOME: root }))).toThrow('outside every git repository');
});

test('a place that other users can write to is skipped', () => {
  const shared = join(root, 'shared', 'collab');
  mkdirSync(shared, { recursive: true });
  chmodSync(shared, 0o777);
  const folder = openStateFolder(
    'run-1',
    options({ XDG_STATE_HOME: join(root, 'shared'), HOME: join(root, 'home') }),
  );
  expect(folder).toBe(join(root, 'home', '.local', 'state', 'collab', 'run-1'));
});

test('a place blocked by a file is skipped; if none is left, the error lists all of them', () => {
  writeFileSync(join(root, 'file'), '');
  const env = { XDG_STATE_HOME: join(root, 'file') };
  const temporaryFolder = join(root, 'file');
  const clock = createManualClock();
  const tried = [join(root, 'file', 'collab'), join(root, 'file', `collab-${process.getuid?.()}`)];
  expect(errorOf(() => openStateFolder('run-1', { env, temporaryFolder, clock }))).toMatchObject({
    code: 'state_folder',
    details: { tried },
  });
});

test('a resumed run finds its folder again, even if a better place has appeared', () => {
  const home = join(root, 'home');
  const before = openStateFolder('run-1', options({ HOME: home }));
  expect(openStateFolder('run-1', options({ XDG_STATE_HOME: join(root, 'new'), HOME: home }))).toBe(before);
});

test('removing follows no link', () => {
  const login = join(root, 'auth.json');
  writeFileSync(login, 'kept');
  const folder = openStateFolder('run-1', options({ HOME: root }));
  symlinkSync(login, join(folder, 'auth.json'));
  removeStateFolder('run-1', options({ HOME: root }));
  expect([existsSync(folder), existsSync(login)]).toEqual([false, true]);
});

test('an invalid run id leads nowhere', () => {
  for (const runId of ['', '.', '..', '../x', 'a/b']) {
    expect(errorOf(() => removeStateFolder(runId, options({ HOME: root })))).toMatchObject({ code: 'input' });
  }
});

test('folders of unfinished runs are removed after seven days', () => {
  const clock = createManualClock();
  const all = { ...options({ HOME: root }), clock };
  const [old, young] = [openStateFolder('old', all), openStateFolder('young', all)];
  const [eightDaysAgo, sixDaysAgo] = [8, 6].map((days) => clock.now() / 1000 - days * 24 * 3600);
  utimesSync(old, eightDaysAgo ?? 0, eightDaysAgo ?? 0);
  utimesSync(young, sixDaysAgo ?? 0, sixDaysAgo ?? 0);
  expect(removeOldStateFolders(all)).toEqual(['old']);
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});

function options(env: StateFolderOptions['env']): StateFolderOptions {
  return { env, clock: createManualClock(), temporaryFolder: join(root, 'tmp') };
}

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
