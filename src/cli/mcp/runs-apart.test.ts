import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import { workflowInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { sessionIn, type SessionHow } from '../command.test-helper.ts';
import {
  engineWithRun,
  openedRun,
  question,
  runId,
  standing,
} from '../engine/engine-with-run.test-helper.ts';
import { changedRepository } from '../reviewed.test-helper.ts';
import { runsApart } from './runs-apart.ts';

/** The runs of a folder, on an engine with these methods. */
async function runs(methods: Partial<Engine> = {}, how: SessionHow = {}) {
  const root = scratchFolder();
  const found = openedRun(workflowInput(), root);
  const { session, printed } = sessionIn(
    { root, env: {} },
    { engine: engineWithRun(found, methods), ...how },
  );
  return { root, found, printed, runs: await runsApart(session) };
}

test('the caller acts as the host of the owner, on the runs of the folder', async () => {
  const { root, found, runs: apart } = await runs({ status: async () => standing('waiting') });
  expect([apart.home, apart.host]).toEqual([
    join(root, '.collab'),
    { kind: 'host', behind: { kind: 'owner' } },
  ]);
  expect(await apart.state(found)).toBe('waiting');
  const { byHand } = apart;
  expect([byHand.answer('r'), byHand.resume('r'), byHand.show('r'), byHand.apply('r')]).toEqual([
    'at a terminal: collab answer r --file -',
    'a person continues it at a terminal: collab resume r',
    'collab show r',
    'collab apply r',
  ]);
});

test('a refusal keeps its hint, and another error is its text', async () => {
  const { runs: apart } = await runs();
  const refusal = new CollabError('usage', 'wrong', { hint: 'right' });
  expect([apart.refusalOf(refusal), apart.refusalOf(new Error('a bug'))]).toEqual([
    refusal,
    { message: 'Error: a bug', hint: null },
  ]);
});

test('the wait for a run ends with the call and with the server, which ends it with an error', async () => {
  const stop = new AbortController();
  const call = new AbortController();
  const signals: AbortSignal[] = [];
  const untilFree: Engine['untilFree'] = async (_run, signal) => {
    signals.push(signal);
    return 'free';
  };
  const { found, runs: apart } = await runs({ untilFree }, { signal: stop.signal });
  await apart.waitWhileDriven(found, call.signal);
  await apart.waitWhileDriven(found, new AbortController().signal);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  call.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  stop.abort(new Error('stopped'));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  await expect(apart.waitWhileDriven(found, call.signal)).rejects.toThrow('stopped');
});

/** A program that does nothing takes the place of `collab`. */
function replaceProgram(): void {
  const file = join(scratchFolder(), 'collab.mjs');
  writeFileSync(file, '');
  const before = process.argv[1] ?? '';
  process.argv[1] = file;
  onTestFinished(() => void (process.argv[1] = before));
}

test('a run is started in the folder, for the host, and gets a process of its own', async () => {
  replaceProgram();
  const { root, env } = changedRepository();
  const looks: string[] = [];
  const engine = engineWithRun(openedRun(workflowInput()), {
    async isDriven(run) {
      looks.push(run.runId);
      return true;
    },
  });
  const { session, printed } = sessionIn({ root, env }, { engine });
  const apart = await runsApart(session);
  const started = await apart.start({ kind: 'review', changes: [], advisor: 'static_review' });
  expect([started.path, started.input.kind, looks]).toEqual([
    join(root, '.collab/runs', started.runId),
    'review',
    [started.runId],
  ]);
  expect(printed()).toEqual({ out: '', err: '' });
  await expect(apart.start({ kind: 'review', changes: [], advisor: 'nothing' })).rejects.toMatchObject({
    code: 'usage',
  });
});

test('an answer is recorded; a run that no process drives gets one of its own, without output', async () => {
  replaceProgram();
  for (const driven of [[true], [false, true]]) {
    const looks = [...driven];
    const answered: unknown[] = [];
    const {
      found,
      printed,
      runs: apart,
    } = await runs({
      status: async () => standing('waiting', question('gate:design')),
      answer: async (_run, answer) => void answered.push(answer),
      isDriven: async () => looks.shift() ?? true,
      result: async () => null,
    });
    await apart.answer(found, 'approve');
    expect([answered, looks, printed()]).toEqual([
      [{ name: 'gate:design', value: 'approve', by: 'user' }],
      [],
      { out: '', err: '' },
    ]);
  }
});

test('cancel ends the run', async () => {
  const cancelled: string[] = [];
  const { found, runs: apart } = await runs({
    status: async () => standing('running'),
    async cancel(run) {
      cancelled.push(run.runId);
      return 'ended';
    },
  });
  await apart.cancel(found);
  expect(cancelled).toEqual([runId]);
});
