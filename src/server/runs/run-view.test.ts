import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { journalFile } from '../../engine/journal/journal.ts';
import { rehearse, wholeAnswer } from '../../runs/rehearsed-review.test-helper.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { countLoopTurns } from '../../system/loop-turns.test-helper.ts';
import { longRun } from '../long-run.test-helper.ts';
import { systemClock } from '../../system/clock.ts';
import { openEngine } from '../../runs/engine/open-engine.ts';
import { describeRun, summariseRun } from './run-view.ts';

const engine = openEngine({ clock: systemClock });

test('a run that a server has started and that has no record yet is running; one without a driver is interrupted', async () => {
  const { runFolder: path } = await rehearse({ turns: [] });
  const place = { runId: basename(path), conversationId: 'first', path };
  const begun = { kind: 'review', title: 'the working tree', subject: null, state: 'running' } as const;
  const known = { ...begun, grants: [], token: null };
  expect(await summariseRun(engine, { ...place, known })).toMatchObject({
    state: 'running',
    started_at: null,
  });
  expect(await summariseRun(engine, { ...place, known: null })).toMatchObject({ state: 'interrupted' });
  const phases = { ...known, kind: 'workflow' } as const;
  expect(await summariseRun(engine, { ...place, known: phases })).toMatchObject({ kind: 'run' });
  const ended = { ...known, state: 'ended' } as const;
  expect(await summariseRun(engine, { ...place, known: ended })).toMatchObject({ state: 'interrupted' });
});

test('a run with unreadable records has ended with an error, and hides no other in a list', async () => {
  const review = await rehearse({ turns: [{ answer: wholeAnswer }] });
  await review.drive();
  const file = journalFile(review.runFolder);
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [...lines.slice(0, 2), 'garbage', ...lines.slice(3, 5), ''].join('\n'));
  const place = { runId: basename(review.runFolder), conversationId: 'first', path: review.runFolder };
  expect(await summariseRun(engine, { ...place, known: null })).toMatchObject({
    state: 'ended',
    status: 'error',
  });
});

test('the event loop goes on turning while a long journal is read', async () => {
  const folder = join(scratchFolder(), 'run-1');
  mkdirSync(folder);
  const records = longRun(400, 4_000).slice(0, -1);
  writeFileSync(journalFile(folder), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const turns = countLoopTurns();
  const details = await describeRun(engine, {
    runId: 'run-1',
    conversationId: 'first',
    path: folder,
    known: null,
  });
  expect(turns.stop()).toBeGreaterThan(20);
  expect(details).toMatchObject({ questions: [], last_seq: records.length });
});
