import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import {
  hostileRepository,
  scratchFolder,
  scratchRepository,
} from '../../../test/fixtures/scratch-repository.ts';
import { applyChange, type ApplyOutcome } from './apply-change.ts';
import { unfinishedPath } from './apply-write.ts';
import { findRepository } from '../repository/find-root.ts';
import { openStore } from '../working-copy/store.ts';
import { openWorkingCopy } from '../working-copy/working-copy.ts';

/** Paths and what to put there, in order: a text, `->` and the target of a link, or null for nothing. */
type Edits = readonly (readonly [string, string | null])[];

/** A repository with `files`, on which a run has made `edits`; the run's folder is closed already. */
async function runThatMade(edits: Edits, files: Edits, user = scratchRepository()) {
  put(user.root, files);
  if (files.length > 0) user.commit('first');
  const runFolder = mkdtempSync(join(scratchFolder(), 'run-'));
  const folder = join(scratchFolder(), 'work');
  const { root, env } = user;
  const copy = await openWorkingCopy({ cwd: root, folder, runId: 'r1', runFolder, env });
  put(folder, edits);
  await copy.commit(await copy.snapshot(), 'work');
  await copy.close();
  const { base, head } = copy.edits();
  const apply = async (signal?: AbortSignal): Promise<ApplyOutcome> => {
    const repository = await findRepository(root);
    const path = join(runFolder, 'edits.git');
    const store = await openStore({ env, path, folder: root, repository });
    return applyChange({
      store,
      root,
      from: base.tree,
      to: head.tree,
      ...(signal === undefined ? {} : { signal }),
    });
  };
  return { ...user, apply };
}

function put(root: string, edits: Edits): void {
  for (const [path, content] of edits) {
    rmSync(join(root, path), { recursive: true, force: true });
    if (content === null) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (content.startsWith('->')) symlinkSync(content.slice(2), join(root, path));
    else writeFileSync(join(root, path), content);
  }
}

function filesIn(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
  const found = names
    .filter((name) => !/^\.git(?:\/|$)/.test(name))
    .map((name) => [name, textAt(join(root, name))]);
  return Object.fromEntries(found.filter(([, text]) => text !== null));
}

function textAt(path: string): string | null {
  const facts = lstatSync(path);
  if (facts.isDirectory()) return null;
  return facts.isSymbolicLink() ? `->${readlinkSync(path)}` : readFileSync(path, 'utf8');
}

const start: Edits = [
  ['changed.txt', 'one\n'],
  ['gone/deep/file.txt', 'x\n'],
  ['renamed.txt', 'a long enough text\n'],
  ['file-to-folder', 'f\n'],
  ['folder-to-file/a/b', 'b\n'],
  ['file-to-link', 'f\n'],
  ['link', '->changed.txt'],
  ['same.txt', 'same\n'],
];
const everyKind: Edits = [
  ['changed.txt', 'two\r\n'],
  ['gone', null],
  ['renamed.txt', null],
  ['new/name.txt', 'a long enough text\n'],
  ['file-to-folder', null],
  ['file-to-folder/inner', 'i\n'],
  ['folder-to-file', 'f\n'],
  ['file-to-link', '->same.txt'],
  ['link', '->/nowhere'],
];
const end = {
  'changed.txt': 'two\r\n',
  'file-to-folder/inner': 'i\n',
  'file-to-link': '->same.txt',
  'folder-to-file': 'f\n',
  link: '->/nowhere',
  'new/name.txt': 'a long enough text\n',
  'same.txt': 'same\n',
};

test('files, folders and links are added, changed and deleted; the index is not touched', async () => {
  const run = await runThatMade(everyKind, start);
  const index = readFileSync(join(run.root, '.git/index'));
  const outcome = await run.apply();
  expect(filesIn(run.root)).toEqual(end);
  expect(outcome).toEqual({
    kind: 'applied',
    paths: [
      { path: 'changed.txt', action: 'changed', already: false },
      { path: 'file-to-folder', action: 'deleted', already: false },
      { path: 'file-to-folder/inner', action: 'added', already: false },
      { path: 'file-to-link', action: 'changed', already: false },
      { path: 'folder-to-file', action: 'added', already: false },
      { path: 'folder-to-file/a/b', action: 'deleted', already: false },
      { path: 'gone/deep/file.txt', action: 'deleted', already: false },
      { path: 'link', action: 'changed', already: false },
      { path: 'new/name.txt', action: 'added', already: false },
      { path: 'renamed.txt', action: 'deleted', already: false },
    ],
  });
  expect(existsSync(join(run.root, 'gone'))).toBe(false);
  expect(readFileSync(join(run.root, '.git/index'))).toEqual(index);
});

test('all conflicting paths are named, and nothing is changed', async () => {
  const run = await runThatMade([...everyKind, ['also-new', 'n\n'], ['dir/new', 'n\n']], start);
  put(run.root, [
    ['changed.txt', 'mine\n'],
    ['renamed.txt', null],
    ['also-new', 'untracked\n'],
    ['folder-to-file/mine', 'm\n'],
    ['gone/deep/file.txt', 'mine\n'],
    ['dir', '->same'],
    ['new', '->same.txt'],
  ]);
  const present = filesIn(run.root);
  const outcome = await run.apply();
  expect(outcome).toEqual({
    kind: 'refused',
    obstacles: [
      { path: 'also-new', reason: 'is new in the run, but something else is there' },
      { path: 'changed.txt', reason: 'was changed since the run copied it' },
      { path: 'dir/new', reason: 'is behind a link' },
      { path: 'folder-to-file', reason: 'is new in the run, but something else is there' },
      { path: 'gone/deep/file.txt', reason: 'was changed since the run copied it' },
      { path: 'new/name.txt', reason: 'is behind a link' },
    ],
  });
  expect(filesIn(run.root)).toEqual(present);
});

test('nothing is written through a link that leads out, or into another repository', async () => {
  const run = await runThatMade(
    [
      ['out/a', 'led\n'],
      ['inner/b', 'led\n'],
    ],
    [
      ['out/a', 'a\n'],
      ['inner/b', 'b\n'],
    ],
  );
  const outside = scratchFolder();
  writeFileSync(join(outside, 'a'), 'a\n');
  put(run.root, [['out', `->${outside}`]]);
  mkdirSync(join(run.root, 'inner/.git'));
  const { obstacles } = { obstacles: [], ...(await run.apply()) };
  expect(obstacles).toEqual([
    { path: 'inner/b', reason: 'is in another repository' },
    { path: 'out/a', reason: 'is behind a link' },
  ]);
  expect(readFileSync(join(outside, 'a'), 'utf8')).toBe('a\n');
});

test('unrelated changes of the user are kept, and files that are already in place count as done', async () => {
  const run = await runThatMade(
    [
      ['a', 'A\n'],
      ['b', null],
    ],
    [
      ['a', 'a\n'],
      ['b', 'b\n'],
      ['c', 'c\n'],
    ],
  );
  put(run.root, [
    ['c', 'mine\n'],
    ['a', 'A\n'],
  ]);
  expect(await run.apply()).toEqual({
    kind: 'applied',
    paths: [
      { path: 'a', action: 'changed', already: true },
      { path: 'b', action: 'deleted', already: false },
    ],
  });
  expect(filesIn(run.root)).toEqual({ a: 'A\n', c: 'mine\n' });
});

test('an apply that was stopped after any write can be repeated with the same result', async () => {
  const run = await runThatMade(everyKind, start);
  const stops: string[] = [];
  const states = new Set([JSON.stringify(filesIn(run.root))]);
  while (stops.length < 9) {
    // The leftovers of a kill in the middle of the next write.
    if (textAt(join(run.root, 'changed.txt')) === 'one\n') {
      writeFileSync(join(run.root, unfinishedPath('changed.txt')), 'tw');
    }
    stops.push((await refusalOf(run.apply(abortedAfter(1)))).code);
    states.add(JSON.stringify(filesIn(run.root)));
  }
  expect(states.size).toBe(10);
  expect(filesIn(run.root)).not.toEqual(end);
  expect((await run.apply()).kind).toBe('applied');
  expect(filesIn(run.root)).toEqual(end);
  expect(new Set(stops)).toEqual(new Set(['cancelled']));
});

/** Aborted once so many paths were started. */
function abortedAfter(paths: number): AbortSignal {
  let asked = 0;
  return Object.defineProperty(new AbortController().signal, 'aborted', {
    get: () => (asked += 1) > paths,
  });
}

test('the executable bit changes only if the run changed it, other permissions never', async () => {
  const user = scratchRepository();
  user.write('run.sh', '#!/bin/sh\n');
  user.write('a.txt', 'a\n');
  const run = await runThatMade(
    [
      ['run.sh', '#!/bin/sh\necho\n'],
      ['a.txt', 'A\n'],
      ['b.txt', 'b\n'],
    ],
    [['b.txt', '']],
    user,
  );
  chmodSync(join(run.root, 'run.sh'), 0o755);
  chmodSync(join(run.root, 'a.txt'), 0o600);
  expect((await run.apply()).kind).toBe('applied');
  const modes = ['run.sh', 'a.txt'].map((path) => (statSync(join(run.root, path)).mode & 0o777).toString(8));
  expect(modes).toEqual(['755', '600']);
});

test('applying to a hostile repository executes nothing', async () => {
  const user = hostileRepository();
  const run = await runThatMade([['src/a.ts', 'export const a = 5;\n']], [], user);
  expect((await run.apply()).kind).toBe('applied');
  expect(user.sprung()).toEqual([]);
  expect(readFileSync(join(user.root, 'src/a.ts'), 'utf8')).toBe('export const a = 5;\n');
});
