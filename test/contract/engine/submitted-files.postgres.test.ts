/** The files of a submitted review: from the repository of one machine, through the database, to the review folder of another. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunRow } from '../../../src/engine/postgres/run-rows.ts';
import { createTreeRows } from '../../../src/engine/postgres/tree-rows.ts';
import { fillReviewFolder } from '../../../src/git/review-folder/review-folder.ts';
import { filesIn } from '../../../src/git/store/kept-folder.ts';
import { openWorkingCopy } from '../../../src/git/working-copy/working-copy.ts';
import type { DatabaseEngine } from '../../../src/runs/engine/database-engine.ts';
import { withScratchRun } from '../../../src/runs/engine/scratch-run.ts';
import { newRunId } from '../../../src/runs/folder/run-folder.ts';
import type {
  ConsultRunInput,
  ReviewRunInput,
  RunInput,
  WorkflowRunInput,
} from '../../../src/runs/folder/run-input.ts';
import { prepareReview, takeChange } from '../../../src/runs/review/prepare.ts';
import { reviewOptions } from '../../../src/runs/review-options.test-helper.ts';
import { takeConsult, takeWorkflow } from '../../../src/runs/start.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { refusalOf } from '../../fixtures/refusal-of.ts';
import { startEngine } from '../../fixtures/engine-on-postgres.ts';
import { scratchFolder, scratchRepository } from '../../fixtures/scratch-repository.ts';

let engine: DatabaseEngine;
let remove: () => Promise<void>;
const home = realpathSync(mkdtempSync(join(tmpdir(), 'collab-submits-')));
beforeAll(async () => {
  ({ engine, remove } = await startEngine({ HOME: home, PATH: process.env['PATH'] }));
});
afterAll(async () => {
  await remove();
  rmSync(home, { recursive: true, force: true });
});

test('a worker without the repository has the files of a working tree, and two runs share them', async () => {
  const repository = scratchRepository();
  repository.write('src/a.ts', 'committed\n');
  repository.write('src/b.ts', 'b\n');
  repository.commit('first');
  repository.write('src/a.ts', 'changed\n');
  repository.write('new.ts', 'new\n');
  repository.write('.env', 'TOKEN=1\n');
  const input = await inputOf(repository.root);
  const ids = [newRunId(systemClock), newRunId(systemClock)];
  const before = await storedTrees();
  await Promise.all(ids.map((runId) => engine.start('', { runId, input })));
  rmSync(repository.root, { recursive: true });
  expect(await storedTrees()).toBe(before + 1);
  for (const runId of ids) {
    const env = { HOME: scratchFolder() };
    expect(await filesOn(env, await rowOf(runId))).toEqual({
      'new.ts': 'new\n',
      'src/a.ts': 'changed\n',
      'src/b.ts': 'b\n',
    });
    expect(readdirSync(join(env.HOME, '.local/state/collab/store'))).toEqual([]);
  }
});

test('a worker without the repository has the files of a consult as they were when it was submitted', async () => {
  const repository = scratchRepository();
  repository.write('src/a.ts', 'committed\n');
  repository.commit('first');
  repository.write('src/a.ts', 'changed\n');
  repository.write('new.ts', 'new\n');
  repository.write('.env', 'TOKEN=1\n');
  const input = await consultInput(repository.root);
  const run = await engine.start('', { runId: input.conversation, input });
  expect(await engine.conversation('', run)).toEqual({ id: run.runId, runs: [run] });
  rmSync(repository.root, { recursive: true });
  const row = await rowOf(run.runId);
  expect(row.input).not.toContain(repository.root);
  expect(await filesOn({ HOME: scratchFolder() }, row)).toEqual({
    'new.ts': 'new\n',
    'src/a.ts': 'changed\n',
  });
});

test('a worker without the repository has the copy of a run of phases, and its input names no folder', async () => {
  const repository = scratchRepository();
  repository.write('src/a.ts', 'committed\n');
  repository.commit('first');
  repository.write('src/a.ts', 'changed\n');
  repository.write('new.ts', 'new\n');
  repository.write('.env', 'TOKEN=1\n');
  const input = await workflowInput(repository.root);
  const run = await engine.start('', { runId: newRunId(systemClock), input });
  expect(await engine.start('', { runId: run.runId, input })).toEqual(run);
  rmSync(repository.root, { recursive: true });
  const row = await rowOf(run.runId);
  expect(row.input).not.toContain(repository.root);
  const env = { HOME: scratchFolder(), PATH: process.env['PATH'] };
  const folder = join(scratchFolder(), 'work');
  await withScratchRun(row, { env, trees: engine.trees }, async ({ runId, path, input: { cwd } }) => {
    const copy = await openWorkingCopy({ cwd, folder, runId, runFolder: path, env });
    expect(copy.branch).toBe(`collab/${runId}`);
    expect(readdirSync(folder).toSorted()).toEqual(['.git', 'new.ts', 'src']);
    expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe('changed\n');
  });
});

test('a submission that is stopped while its files are packed submits nothing', async () => {
  const repository = scratchRepository();
  repository.write('a.ts', 'a\n');
  repository.commit('first');
  const input = await workflowInput(repository.root);
  const runId = newRunId(systemClock);
  const stop = new AbortController();
  const started = refusalOf(engine.start('', { runId, input, signal: stop.signal }));
  stop.abort();
  expect(await started).toMatchObject({ code: 'cancelled' });
  expect((await engine.list('')).map((run) => run.runId)).not.toContain(runId);
});

test('a review has no edits to fetch, and an id that is a path is refused', async () => {
  const repository = scratchRepository();
  repository.write('a.ts', 'a\n');
  repository.commit('first');
  repository.write('a.ts', 'b\n');
  const run = await engine.start('', {
    runId: newRunId(systemClock),
    input: await inputOf(repository.root),
  });
  expect(await refusalOf(engine.storedCopy(run))).toMatchObject({
    code: 'input',
    message: `${run.runId} is a review, which has no edits to apply`,
  });
  const row = { ...(await rowOf(run.runId)), runId: '../elsewhere' };
  const scratch = { env: { HOME: scratchFolder() }, trees: engine.trees };
  expect(await refusalOf(withScratchRun(row, scratch, async () => null))).toMatchObject({
    code: 'input',
    message: 'Not the id of a run: "../elsewhere"',
  });
});

test('a tree is stored once by many at once, and a missing one is named', async () => {
  const trees = createTreeRows(engine.store.pool);
  const parts = [Buffer.from('list'), Buffer.from('\0content')];
  const put = () =>
    trees.put(
      'many',
      (async function* () {
        yield* parts;
      })(),
    );
  await Promise.all(Array.from({ length: 6 }, put));
  const read: Buffer[] = [];
  for await (const part of trees.get('many')) read.push(part);
  expect(read).toEqual(parts);
  await expect(trees.get('other').next()).rejects.toMatchObject({
    code: 'input',
    message: 'The database does not hold the files of the run: other',
  });
});

async function storedTrees(): Promise<number> {
  const { rows } = await engine.store.pool.query<{ trees: number }>(
    'select count(*)::integer as trees from collab.tree',
  );
  return rows[0]?.trees ?? 0;
}

/** An advisor that reads files is a program that the test does not have: the files are named as if it were there. */
async function inputOf(cwd: string): Promise<ReviewRunInput> {
  const options = reviewOptions({
    cwd,
    env: { HOME: scratchFolder(), PATH: process.env['PATH'] ?? '' },
    change: { kind: 'working_tree' },
    settings: { advisor: 'static_review' },
  });
  const input = await prepareReview(options, await takeChange(options));
  return { ...input, change: { ...input.change, files: { root: cwd, state: 'working_tree' } } };
}

/** The agent reads no files: they are named as if it did. */
async function consultInput(cwd: string): Promise<ConsultRunInput> {
  const { agent, place } = placeAt(cwd);
  const taken = await takeConsult(
    { kind: 'consult', phase: 'design', brief: 'Is it sound?', advisor: agent },
    place,
  );
  return taken.inputOf(newRunId(systemClock));
}

function placeAt(cwd: string) {
  writeFileSync(join(home, 'script.yaml'), 'turns: [{ answer: No }]\n');
  const env = { HOME: home, PATH: process.env['PATH'] ?? '' };
  const { signal } = new AbortController();
  const place = { home: join(home, '.collab'), cwd, env, clock: systemClock, signal };
  return { place, agent: `rehearsal:${home}/script.yaml` };
}

async function workflowInput(cwd: string): Promise<WorkflowRunInput> {
  const pair = placeAt(cwd);
  const { input } = await takeWorkflow(
    { kind: 'run', task: 'Write one.', yes: true, lead: pair.agent, advisor: pair.agent },
    pair.place,
  );
  return input;
}

async function rowOf(runId: string): Promise<RunRow> {
  const row = await engine.rows.find(runId);
  if (row === null) throw new Error(`${runId} is not stored`);
  return row;
}

/** The files of a submitted run on a machine that has only this home. */
function filesOn(env: { readonly HOME: string }, row: RunRow): Promise<Record<string, string>> {
  return withScratchRun(row, { env, trees: engine.trees }, ({ input }) => filesOf(input, env));
}

async function filesOf(input: RunInput, env: { readonly HOME: string }): Promise<Record<string, string>> {
  const files = input.kind === 'review' ? input.change.files : input.kind === 'consult' ? input.files : null;
  if (files === null) throw new Error('the run has no files');
  const into = join(scratchFolder(), 'run');
  const base = join(env.HOME, '.local/state/collab');
  const filled = await fillReviewFolder({
    ...files,
    env,
    base,
    into,
    tree: files.tree ?? null,
    changedPaths: ['src/a.ts', 'new.ts'],
  });
  await filled.whole;
  const paths = readdirSync(filesIn(into), { recursive: true, encoding: 'utf8' }).toSorted();
  const found = paths.filter((path) => statSync(join(filesIn(into), path)).isFile());
  return Object.fromEntries(found.map((path) => [path, readFileSync(join(filesIn(into), path), 'utf8')]));
}
