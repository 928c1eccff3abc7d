import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { scratchFolder, scratchRepository, shared } from '../../../test/fixtures/scratch-repository.ts';
import { takeCopy } from '../../git/working-copy/travel.ts';
import { openWorkingCopy } from '../../git/working-copy/working-copy.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { openRun } from '../../runs/folder/opened-run.ts';
import { workflowInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { recordEdits } from '../../runs/workflow/edits.ts';
import { atTerminal, collab, type SessionHow } from '../command.test-helper.ts';
import { engineWithRun, nowhere, openedRun, runId, standing } from '../engine/engine-with-run.test-helper.ts';

const user = shared(() => scratchRepository());
let path = '';

beforeAll(async () => {
  const { write, commit } = user();
  write('a.txt', 'one\n');
  write('.gitignore', '.collab\n');
  commit('first');
  path = await edited(user());
});

/** A run in a folder with `a.txt`, which its lead made `two`. Returns the folder of the run. */
async function edited({ root, env }: Parameters<typeof collab>[0]): Promise<string> {
  const runFolder = join(root, '.collab/runs', runId);
  mkdirSync(runFolder, { recursive: true });
  const folder = join(root, '.collab/work');
  const copy = await openWorkingCopy({ cwd: root, folder, runId, runFolder, env });
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  await copy.commit(await copy.snapshot(), 'work');
  recordEdits({ runId, path: runFolder }, copy.edits());
  await copy.close();
  return runFolder;
}

/** Applies a run that has ended and has its edits in this folder. */
function apply(
  place: Parameters<typeof collab>[0],
  flags: readonly string[] = [],
  how: SessionHow = {},
  folder = path,
) {
  const engine = engineWithRun(openedRun(workflowInput(), folder), {
    status: async () => standing('ended'),
    storedCopy: async () => null,
  });
  return collab(place, ['apply', ...flags], { engine, ...how });
}

const patch = 'diff --git a/a.txt b/a.txt\n';

test('--patch prints the edits as they are, and a terminal gets them colored', async () => {
  const { code, out, err } = await apply(user(), ['--patch']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    new RegExp(`^${patch}index .*\n--- a/a.txt\n\\+\\+\\+ b/a.txt\n@@ -1 \\+1 @@\n-one\n\\+two\n$`),
  );
  const screen = { ...atTerminal, color: { out: false, err: false } };
  expect((await apply(user(), ['--patch'], { screen })).out).toBe(out);
  const colored = await apply(user(), ['--patch'], { screen: atTerminal });
  expect(colored.out).toContain('\u001b[31m-one\u001b[39m\n\u001b[32m+two\u001b[39m\n');
  expect(readFileSync(join(user().root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('a run without edits has no patch, and nothing to apply', async () => {
  const [place, empty] = [nowhere, scratchFolder()];
  expect(await apply(place, ['--patch'], {}, empty)).toEqual({
    code: 0,
    out: '',
    err: `${runId} has no edits\n`,
  });
  expect(await apply(place, [], {}, empty)).toEqual({
    code: 0,
    out: `${runId} has nothing to apply: it changed no file\n`,
    err: '',
  });
});

test('a run that has not ended is not applied, but its patch is printed', async () => {
  const methods: Partial<Engine> = { status: async () => standing('running'), storedCopy: async () => null };
  const engine = engineWithRun(openedRun(workflowInput(), path), methods);
  expect(await collab(user(), ['apply'], { engine })).toEqual({
    code: 2,
    out: '',
    err: `collab: ${runId} is running; only finished runs can be applied\n  See its state: collab status ${runId} --remote\n`,
  });
  const { code, out } = await collab(user(), ['apply', '--patch'], { engine });
  expect([code, out.startsWith(patch)]).toEqual([0, true]);
});

test('edits that the files of the user block are refused with the paths; otherwise they are applied', async () => {
  const { root, write, git } = user();
  write('a.txt', 'mine\n');
  const branch = `collab/${runId}`;
  expect(await apply(user())).toEqual({
    code: 2,
    out: '',
    err: [
      `collab: ${runId} was not applied, and nothing was changed:`,
      '  a.txt was changed since the run copied it',
      `  Put those files back as they were, or merge the commits yourself: git merge ${branch}`,
      '',
    ].join('\n'),
  });
  const refused = await apply(user(), ['--json']);
  expect([refused.code, JSON.parse(refused.out)]).toMatchObject([2, { run: runId, kind: 'refused', branch }]);
  write('a.txt', 'one\n');
  expect(await apply(user())).toEqual({
    code: 0,
    out: `applied ${runId} in ${root}, nothing is staged:\n  changed  a.txt\n`,
    err: '',
  });
  expect([readFileSync(join(root, 'a.txt'), 'utf8'), git('diff', '--cached', '--name-only')]).toEqual([
    'two\n',
    '',
  ]);
  expect((await apply(user())).out).toBe(
    `applied ${runId} in ${root}, nothing is staged:\n  changed  a.txt (unchanged)\n`,
  );
  const again = await apply(user(), ['--json']);
  expect([again.code, JSON.parse(again.out)]).toMatchObject([
    0,
    { run: runId, kind: 'applied', branch: null },
  ]);
});

test('without a repository, there are no commits to merge instead', async () => {
  const place = { ...user(), root: scratchFolder() };
  writeFileSync(join(place.root, 'a.txt'), 'one\n');
  const folder = await edited(place);
  writeFileSync(join(place.root, 'a.txt'), 'mine\n');
  expect((await apply(place, [], {}, folder)).err).toMatch(
    /\n {2}a\.txt was changed since the run copied it\n {2}Put those files back as they were, then call it again\n$/,
  );
});

test('the copy of a run of a database is fetched, and its branch is added only to apply it', async () => {
  const { root, env, git, write } = user();
  write('a.txt', 'one\n');
  const run = { runId: 'far', path: scratchFolder() };
  const sent = await takeCopy({ cwd: root, runId: 'far', env });
  const folder = join(run.path, 'work');
  const copy = await openWorkingCopy({ cwd: root, folder, runId: 'far', runFolder: run.path, env });
  writeFileSync(join(folder, 'a.txt'), 'far\n');
  const tree = await copy.snapshot();
  await copy.commit(tree, 'work');
  const [commit = ''] = git('rev-parse', 'collab/far').trim().split('\n');
  const pack = (await copy.pack(commit)) ?? Buffer.alloc(0);
  await copy.close();
  git('branch', '-D', 'collab/far');
  const engine = engineWithRun(openRun(run, { input: workflowInput() }), {
    status: async () => standing('ended'),
    storedCopy: async () => ({ sent, made: [{ tree, commit, pack }] }),
  });
  const branches = () => git('branch', '--list', 'collab/far').trim();
  const { out } = await collab(user(), ['apply', '--patch'], { engine });
  expect([out.endsWith('-one\n+far\n'), branches()]).toEqual([true, '']);
  write('a.txt', 'mine\n');
  const { code, err } = await collab(user(), ['apply'], { engine });
  expect([code, err.split('\n').at(-2), branches()]).toEqual([
    2,
    '  Put those files back as they were, or merge the commits yourself: git merge collab/far',
    'collab/far',
  ]);
});
