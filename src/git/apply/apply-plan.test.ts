import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import type { CopyEntry, EntryChange } from '../working-copy/entries.ts';
import { judgePath, leavingPaths, planApply } from './apply-plan.ts';

const none = new Set<string>();
const mine = 'changed since the copy';
const before = fileOf('before');
const after = fileOf('after');

test.each([
  ['a file as it was', 'a.ts', 'before', before, after, 'todo'],
  ['a file as the run left it', 'a.ts', 'after', before, after, 'done'],
  ['another text', 'a.ts', mine, before, after, 'was changed since the run copied it'],
  ['no file anymore', 'a.ts', null, before, after, 'is no longer there'],
  ['no file, of a removal', 'a.ts', null, before, null, 'done'],
  ['a file as it was, of a removal', 'a.ts', 'before', before, null, 'todo'],
  ['another text, of a removal', 'a.ts', mine, before, null, 'was changed since the run copied it'],
  ['no file, of an addition', 'a.ts', null, null, after, 'todo'],
  [
    'another text, of an addition',
    'a.ts',
    mine,
    null,
    after,
    'is new in the run, but something else is there',
  ],
  ['a submodule before', 'a.ts', 'before', { ...before, kind: 'submodule' }, after, 'is a submodule'],
  ['a submodule after', 'a.ts', 'before', before, { ...after, kind: 'submodule' }, 'is a submodule'],
  ['a path in git’s folder', '.git/hooks/x', null, null, after, 'is not a path that a run may write'],
  ['a file of secrets', '.env', null, null, after, 'is not a path that a run may write'],
] as const)('the verdict about %s', async (_what, path, present, was, is, verdict) => {
  const root = rootWith(present === null ? {} : { [path]: present });
  expect(told(await judgePath(root, { path, before: was, after: is }, none))).toBe(verdict);
});

test.each([
  ['a link', (root: string) => symlinkSync('elsewhere', join(root, 'x')), 'is behind a link'],
  ['a file', (root: string) => writeFileSync(join(root, 'x'), mine), 'is in a folder that is a file now'],
  [
    'a repository',
    (root: string) => mkdirSync(join(root, 'x/.git'), { recursive: true }),
    'is in another repository',
  ],
])('a path below %s is out of reach', async (_what, make, reason) => {
  const root = scratchFolder();
  make(root);
  expect(told(await judgePath(root, { path: 'x/a.ts', before, after }, none))).toBe(reason);
  expect(told(await judgePath(root, { path: 'x/a.ts', before: null, after }, none))).toBe(reason);
});

test('a pipe is neither a file nor a link', async () => {
  const root = scratchFolder();
  execFileSync('mkfifo', [join(root, 'a.ts')]);
  expect(told(await judgePath(root, { path: 'a.ts', before, after }, none))).toBe(
    'is neither a file nor a link now',
  );
});

test('a folder in place of a file is free only if every file in it leaves', async () => {
  const root = rootWith({ 'x/a.ts': 'before', 'x/y/b.ts': 'before' });
  const verdictOf = async (...leaving: readonly string[]) =>
    told(await judgePath(root, { path: 'x', before: null, after }, new Set(leaving)));
  expect(await verdictOf('x/a.ts', 'x/y/b.ts')).toBe('todo');
  for (const left of ['x/a.ts', 'x/y/b.ts'])
    expect(await verdictOf(left)).toBe('is new in the run, but something else is there');
  expect(told(await judgePath(root, { path: 'x', before, after }, none))).toBe('is no longer there');
});

test('a file in place of a folder is free only if it leaves', async () => {
  const root = rootWith({ x: 'before' });
  const change = { path: 'x/a.ts', before: null, after };
  expect(told(await judgePath(root, change, new Set(['x'])))).toBe('todo');
  expect(told(await judgePath(root, change, none))).toBe('is in a folder that is a file now');
});

test('the plan sorts the changes by their verdicts', async () => {
  const changes: readonly EntryChange[] = [
    { path: 'todo', before, after },
    { path: 'done', before, after },
    { path: 'mine', before, after: null },
    { path: 'left', before, after: null },
  ];
  const root = rootWith({ todo: 'before', done: 'after', mine });
  expect(leavingPaths(changes)).toEqual(new Set(['mine', 'left']));
  expect(await planApply(root, changes)).toEqual({
    todo: [changes[0]],
    done: [changes[1], changes[3]],
    obstacles: [{ path: 'mine', reason: 'was changed since the run copied it' }],
  });
});

function rootWith(files: Readonly<Record<string, string>>): string {
  const root = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

function fileOf(text: string): CopyEntry {
  const blob = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
  return { kind: 'file', mode: '100644', blob };
}

function told(verdict: Awaited<ReturnType<typeof judgePath>>): string {
  return typeof verdict === 'string' ? verdict : verdict.reason;
}
