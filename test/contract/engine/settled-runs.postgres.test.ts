/** Runs of a database whose records have ended, and whose result was not stored: the process was killed in between. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CollabEventOf } from '../../../src/events/collab-event.ts';
import type { DatabaseEngine } from '../../../src/runs/engine/database-engine.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { startEngine } from '../../fixtures/engine-on-postgres.ts';
import { submitReview } from './queued-rows.ts';
import { scriptedEnvelope, scriptedStart } from './scripted-review.ts';

let engine: DatabaseEngine;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ engine, remove } = await startEngine());
});
afterAll(() => remove());

type Ended = Pick<CollabEventOf<'run.ended'>, 'status' | 'outcome' | 'errors'>;

test.each<[string, Ended, boolean]>([
  [
    'was canceled from outside has its result by that',
    { status: 'cancelled', outcome: null, errors: [] },
    true,
  ],
  ['failed from outside has its result by that', { status: 'error', outcome: null, errors: ['lost'] }, true],
  ['ended with an outcome needs a drive', { status: 'success', outcome: 'clean', errors: [] }, false],
  ['ended well without an outcome needs a drive', { status: 'success', outcome: null, errors: [] }, false],
])('a run that %s', async (_what, ended, isSettled) => {
  const { runId } = await submitReview(engine);
  const envelope = { ...scriptedEnvelope, runId };
  const claim = await engine.store.claim({ runFolder: runId, envelope, clock: systemClock });
  claim.append([
    { body: scriptedStart, turn: 0 },
    { body: { type: 'run.ended', reasons: [], result: null, duration_ms: 1, turns: 0, ...ended }, turn: 0 },
  ]);
  await claim.durable();
  await claim.release();
  const row = await engine.rows.find(runId);
  expect(row !== null && (await engine.settle(row))).toBe(isSettled);
  expect(await engine.hasResult(runId)).toBe(isSettled);
});
