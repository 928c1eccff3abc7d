import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder, scratchRepository } from '../../../test/fixtures/scratch-repository.ts';
import { openWorkingCopy } from '../../git/working-copy/working-copy.ts';
import { applyRun, readPatch } from './apply.ts';
import { leaveRepository, readEdits, recordEdits } from './edits.ts';

/** A run in a repository with `a.txt`, which its lead made `two`. The copy is still open. */
async function editedRun(user = scratchRepository(), makeDirty = () => {}) {
  user.write('a.txt', 'one\n');
  user.write('.gitignore', '.collab\n');
  user.commit('first');
  makeDirty();
  const run = { runId: 'r1', path: join(user.root, '.collab/runs/r1') };
  mkdirSync(run.path, { recursive: true });
  const folder = join(scratchFolder(), 'work');
  const open = () =>
    openWorkingCopy({ cwd: user.root, folder, runId: 'r1', runFolder: run.path, env: user.env });
  const copy = await open();
  recordEdits(run, copy.edits());
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  await copy.commit(await copy.snapshot(), 'work');
  recordEdits(run, copy.edits());
  return { ...user, run, copy, folder };
}

test("a finished run's edits can be applied after its folders are gone, and again without harm", async () => {
  const { root, env, run, copy } = await editedRun();
  await copy.close();
  const applied = { kind: 'applied', root, branch: null };
  const path = { path: 'a.txt', action: 'changed' };
  expect(await applyRun({ run, cwd: root, env })).toEqual({
    ...applied,
    paths: [{ ...path, already: false }],
  });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');
  expect(await applyRun({ run, cwd: root, env })).toEqual({
    ...applied,
    paths: [{ ...path, already: true }],
  });
});

test('also if the branch was deleted and the repository cleaned up in the meantime', async () => {
  const { git, root, env, run, copy } = await editedRun();
  await copy.close();
  git('branch', '-D', 'collab/r1');
  git('gc', '--quiet', '--prune=now');
  const outcome = await applyRun({ run, cwd: root, env });
  expect(outcome.kind).toBe('applied');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');
});

test('if only the deleted branch had the initial state, it is refused and nothing is written', async () => {
  const user = scratchRepository();
  user.write('b.txt', 'b\n');
  const { git, root, env, run, copy } = await editedRun(user, () => user.write('b.txt', 'dirty\n'));
  await copy.close();
  git('branch', '-D', 'collab/r1');
  git('gc', '--quiet', '--prune=now');
  expect(await refusalOf(applyRun({ run, cwd: root, env }))).toMatchObject({
    code: 'input',
    hint: 'The branch of the run may be deleted, or the repository cleaned up (git gc --prune); start a new run.',
  });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('a run without edits, or whose edits cancel out, has nothing to apply', async () => {
  const run = { runId: 'r1', path: scratchFolder() };
  expect(await applyRun({ run, cwd: run.path, env: {} })).toEqual({ kind: 'nothing' });
  const state = { commit: 'c', tree: 't' };
  recordEdits(run, { root: '/nowhere', branch: null, base: state, head: state });
  expect(await applyRun({ run, cwd: run.path, env: {} })).toEqual({ kind: 'nothing' });
});

test('a damaged record and a missing tree are named', async () => {
  const { env, root, run, copy } = await editedRun();
  await copy.close();
  const lost = { run: { runId: 'r1', path: scratchFolder() }, cwd: root, env };
  recordEdits(lost.run, copy.edits());
  expect(await refusalOf(applyRun(lost))).toMatchObject({
    code: 'input',
    message: `${lost.run.path}/edits.git no longer exists, but the edits belong to it`,
  });
  const file = join(run.path, 'edits.json');
  writeFileSync(file, '{"schema":"collab.edits/v1"}');
  expect(await refusalOf(applyRun({ run, cwd: root, env }))).toEqual({
    code: 'journal_corrupt',
    message: `${file} was changed since the run wrote it`,
    hint: 'The commits of the run may still be there: git branch --list "collab/*"',
  });
  rmSync(root, { recursive: true });
});

test('a record for another tree than the current one is refused', async () => {
  const { env, run, root } = await editedRun();
  const cwd = scratchFolder();
  expect(await refusalOf(applyRun({ run, cwd, env }))).toEqual({
    code: 'input',
    message: `r1 edited ${root}, not the current folder`,
    hint: `Go there first: cd "${root}"`,
  });
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
  mkdirSync(join(root, 'sub'));
  expect((await applyRun({ run, cwd: join(root, 'sub'), env })).kind).toBe('applied');
});

test('no setting, hook or link of a foreign store is followed', async () => {
  const { env, run, root, folder } = await editedRun();
  const outside = scratchFolder();
  const store = join(run.path, 'edits.git');
  const trap = `sh -c ': >"${outside}/sprung"'`;
  writeFileSync(
    join(store, 'config'),
    `[core]\n\tfsmonitor = "${trap.replaceAll('"', '\\"')}"\n\tbare = nonsense\n`,
  );
  writeFileSync(join(store, 'blind/config'), '[core]\n\tbare = nonsense\n');
  expect((await applyRun({ run, cwd: root, env })).kind).toBe('applied');
  rmSync(join(store, 'info'), { recursive: true });
  symlinkSync(outside, join(store, 'info'));
  const again = openWorkingCopy({ cwd: root, folder, runId: 'r1', runFolder: run.path, env });
  expect((await refusalOf(again)).message).toBe(
    `${store}/info is a link; nothing is read or written through it`,
  );
  expect(readdirSync(outside)).toEqual([]);
});

test('applying a run and removing it end its branch; other branches and worktrees stay', async () => {
  const { git, root, env, run, copy, folder } = await editedRun();
  const other = join(scratchFolder(), 'other');
  git('worktree', 'add', '--quiet', other);
  git('pack-refs', '--all');
  rmSync(folder, { recursive: true });
  expect(git('branch', '--list', 'collab/*').trim()).toContain('collab/r1');
  expect(await leaveRepository(run, { env })).toBeNull();
  const listed = git('worktree', 'list', '--porcelain').match(/^worktree .*$/gm);
  expect(listed).toEqual([`worktree ${root}`, `worktree ${other}`]);
  expect(git('branch', '--list', 'collab/*')).toBe('');
  expect(git('branch', '--list', 'other')).toContain('other');
  expect(readEdits(run.path)?.branch).toBe('collab/r1');
  await copy.close();
  expect(await applyRun({ run, cwd: root, env })).toMatchObject({ kind: 'applied', branch: null });
});

test('a branch with a commit of the user stays, and is named', async () => {
  const { git, root, env, run, copy } = await editedRun();
  await copy.close();
  const tree = git('rev-parse', 'collab/r1^{tree}').trim();
  git('branch', '-f', 'collab/r1', git('commit-tree', tree, '-p', 'collab/r1', '-m', 'mine').trim());
  expect(await applyRun({ run, cwd: root, env })).toMatchObject({ kind: 'applied', branch: 'collab/r1' });
  expect(await leaveRepository(run, { env })).toBe('collab/r1');
  expect(git('log', '-1', '--format=%s', 'collab/r1').trim()).toBe('mine');
});

test('a branch that the user has checked out stays', async () => {
  const { git, root, env, run, copy } = await editedRun();
  await copy.close();
  git('worktree', 'add', '--quiet', join(scratchFolder(), 'mine'), 'collab/r1');
  expect(await leaveRepository(run, { env })).toBe('collab/r1');
  expect((await applyRun({ run, cwd: root, env })).kind).toBe('applied');
  expect(git('branch', '--list', 'collab/*')).toContain('collab/r1');
});

test('the patch of a run is what apply would change', async () => {
  const { env, run, copy, root } = await editedRun();
  await copy.close();
  expect(await readPatch({ run, env })).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
  expect(await readPatch({ run: { runId: 'r2', path: scratchFolder() }, env })).toBeNull();
});
