/** `collab apply` through the installed command. The edits are made by hand, in the working copy of a run that has ended. */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openWorkingCopy } from '../../../src/git/working-copy/working-copy.ts';
import { recordEdits } from '../../../src/runs/workflow/edits.ts';
import { example, test, type Place } from '../place.ts';

/** In a repository whose `a.txt` the run changed, and where it made `dir/b.txt`. */
async function endedRun(place: Place): Promise<string> {
  place.git('init', '--quiet');
  place.write('a.txt', 'one\n');
  place.git('add', 'a.txt');
  place.git('commit', '--quiet', '--message', 'first');
  await place.collab(['review', example('harmless.diff'), '--advisor', place.rehearsal('pattern-1')]);
  const path = place.lastRun();
  const runId = basename(path);
  const folder = join(place.folder, '../work');
  const env = place.environment;
  const copy = await openWorkingCopy({ cwd: place.folder, folder, runId, runFolder: path, env });
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  writeFileSync(join(folder, 'b\u001b[31m.txt'), 'b\n');
  await copy.commit(await copy.snapshot(), 'work');
  recordEdits({ runId, path }, copy.edits());
  return runId;
}

test('apply brings the edits into the tree, stages nothing and ends the branch', async ({
  place,
  expect,
}) => {
  const run = await endedRun(place);
  const { stdout: patch } = await place.collab(['apply', '--patch']);
  expect(patch).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n');
  expect(place.read('a.txt')).toBe('one\n');
  expect(place.git('branch', '--list', 'collab/*')).toContain(run);
  expect(await place.collab(['apply', 'latest'])).toEqual({
    code: 0,
    stdout: `applied ${run} in ${place.folder}, nothing is staged:\n  changed  a.txt\n  added    b␛[31m.txt\n`,
    stderr: '',
  });
  expect(place.read('a.txt')).toBe('two\n');
  expect(place.git('status', '--porcelain', '-z')).toContain(' M a.txt\0');
  expect(JSON.parse((await place.collab(['apply', '--json'])).stdout)).toEqual({
    run,
    kind: 'applied',
    root: place.folder,
    branch: null,
    paths: [
      { path: 'a.txt', action: 'changed', already: true },
      { path: 'b\u001b[31m.txt', action: 'added', already: true },
    ],
  });
  expect(place.git('branch', '--list', 'collab/*')).toBe('');
  expect((await place.collab(['clean'])).stdout).toBe(`removed ${run} (ended)\n`);
  expect(place.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});

test('apply refuses to overwrite, names the file, and changes nothing', async ({ place, expect }) => {
  const run = await endedRun(place);
  place.write('a.txt', 'mine\n');
  const before = place.names();
  expect(await place.collab(['apply', run])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      `collab: ${run} was not applied, and nothing was changed:\n  a.txt was changed since the run copied it\n` +
      `  Put those files back as they were, or merge the commits yourself: git merge collab/${run}\n`,
  });
  expect(place.names()).toEqual(before);
  expect(place.read('a.txt')).toBe('mine\n');
  const mine = place.git('commit-tree', 'HEAD^{tree}', '-m', 'mine').trim();
  place.git('update-ref', `refs/heads/collab/${run}`, mine);
  expect((await place.collab(['clean'])).stdout).toBe(
    `removed ${run} (ended)\n  kept the branch collab/${run}; to remove it: git branch -D collab/${run}\n`,
  );
});

test('apply of an unfinished run says so, and apply of a review says that there is nothing', async ({
  place,
  expect,
}) => {
  await place.collab(['review', example('harmless.diff'), '--advisor', place.rehearsal('pattern-1')]);
  const run = place.runs()[0]?.split('/').at(-1);
  expect(await place.collab(['apply'])).toEqual({
    code: 0,
    stdout: `${run} has nothing to apply: it changed no file\n`,
    stderr: '',
  });
  const journal = place.read(`.collab/runs/${run}/journal.jsonl`).trim().split('\n').slice(0, 6);
  place.write(`.collab/runs/${run}/journal.jsonl`, `${journal.join('\n')}\n`);
  const result = JSON.parse(place.read(`.collab/runs/${run}/result.json`));
  place.write(`.collab/runs/${run}/result.json`, JSON.stringify({ ...result, state: 'interrupted' }));
  expect(await place.collab(['apply'])).toEqual({
    code: 2,
    stdout: '',
    stderr: `collab: ${run} is interrupted; only finished runs can be applied\n  See its state: collab status ${run}\n`,
  });
});
