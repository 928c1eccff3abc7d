import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/fixtures/refusal-of.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { report } from '../../../test/fixtures/reports/sample-report.ts';
import { systemClock as clock } from '../../system/clock.ts';
import { consultInput, reviewInput, savedRun } from '../folder/saved-runs.test-helper.ts';
import { rehearse, wholeAnswer } from '../rehearsed-review.test-helper.ts';
import { openEngine } from './open-engine.ts';

const engine = openEngine({ clock });

test('runs are listed newest first, found by a part of their id, and described', async () => {
  const home = scratchFolder();
  const [old, recent] = ['20261121-093000-aaaa', '20261121-093001-bbbb'].map((id) =>
    savedRun(home, id, reviewInput(), report({ run_id: id })),
  );
  expect(await engine.list(home)).toEqual([recent, old]);
  expect(await engine.find(home)).toMatchObject({ ...recent, input: { kind: 'review' } });
  expect(await engine.find(home, 'aaaa')).toMatchObject({ ...old });
  const described = await engine.describeAll(home);
  expect(described.map(({ run, outcome }) => [run, outcome])).toEqual([
    [recent?.runId, 'findings'],
    [old?.runId, 'findings'],
  ]);
});

test('the records, the result and the kept text of a review are those that its drive left', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }] });
  await review.drive();
  const path = review.runFolder;
  const run = { runId: basename(path), path };
  expect(await engine.records(run)).toEqual(review.journal());
  expect(await engine.result(run)).toEqual(review.result());
  expect(await engine.describe(run)).toMatchObject({ run: run.runId, state: 'ended', outcome: 'clean' });
  expect(await engine.isDriven(run)).toBe(false);
  expect(await engine.untilFree(run, new AbortController().signal)).toBe('free');
  expect(await engine.storedCopy(run)).toBeNull();
  const batches = [];
  const { signal } = new AbortController();
  for await (const lines of engine.events(run, 1, signal)) batches.push(...lines);
  expect(batches.map(({ event }) => event)).toEqual(review.journal().slice(1));
  expect(await engine.conversation(dirname(dirname(path)), run)).toEqual({ id: run.runId, runs: [run] });
  expect(await engine.cancel(run)).toBe('ended');
  expect(await engine.keptText(run, 'src/total.ts')).toMatchObject({ kind: 'not_kept' });
});

test('a consult has no kept text, and a run without records has none to read', async () => {
  const run = savedRun(scratchFolder(), 'c1', consultInput(), null);
  expect(await engine.keptText(run, 'a.ts')).toBeNull();
  expect(await engine.input(run)).toMatchObject({ kind: 'consult' });
  expect(await refusalOf(engine.records(run))).toMatchObject({ code: 'run_not_found' });
});
