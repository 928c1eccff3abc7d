import { expect, test } from 'vitest';
import type { ListedRun } from '../../runs/folder/listed-run.ts';
import { reviewInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { collab } from '../command.test-helper.ts';
import { engineWithRun, nowhere, openedRun, runId } from '../engine/engine-with-run.test-helper.ts';

const listed: ListedRun = {
  run: runId,
  kind: 'review',
  state: 'running',
  outcome: null,
  findings: null,
  started_at: '2026-11-21T09:29:00.000Z',
  ended_at: null,
  tokens: null,
  cost_usd: null,
  lead: null,
  advisor: { provider: 'codex', model: 'gpt-5' },
  subject: 'main...HEAD',
};

/** The commands on runs of an engine that describes them so. */
function described(args: readonly string[], runs: readonly ListedRun[]) {
  const engine = engineWithRun(openedRun(reviewInput()), {
    describeAll: async () => runs,
    describe: async () => runs[0] ?? listed,
  });
  return collab(nowhere, args, { engine, clock: createManualClock() });
}

test('runs lists them as a table or as JSON; without any, it says of which engine', async () => {
  expect(await described(['runs'], [listed])).toEqual({
    code: 0,
    out: [
      'Run              Outcome  Crit  Imp  Min    Age  Time  Cost  What',
      'r-20261121-7f3a  running     -    -    -  1 min     -     -  review: main...HEAD (codex gpt-5)',
      '',
    ].join('\n'),
    err: '',
  });
  const asJson = await described(['runs', '--json'], [listed]);
  expect([asJson.code, JSON.parse(asJson.out)]).toEqual([0, [listed]]);
  expect(await described(['runs'], [])).toEqual({ code: 0, out: 'no runs\n', err: '' });
  expect(JSON.parse((await described(['runs', '--json'], [])).out)).toEqual([]);
  const root = scratchFolder();
  expect((await collab({ root, env: { HOME: root } }, ['runs'])).out).toBe('no runs here\n');
});

test.each([
  ['interrupted', `continue it: collab resume ${runId}`],
  ['queued', `wait for it: collab wait ${runId} --remote --timeout 9m`],
  ['running', `wait for it: collab wait ${runId} --remote --timeout 9m`],
  [
    'waiting',
    `it has a question: collab show ${runId} --remote prints it, collab answer ${runId} --remote --file - answers it`,
  ],
  ['ended', `see its result: collab show ${runId} --remote`],
])('status of a run that is %s names the next step', async (state, next) => {
  expect(await described(['status'], [{ ...listed, state }])).toEqual({
    code: 0,
    out: [
      runId,
      `  state    ${state}`,
      '  review   main...HEAD',
      '  advisor  codex gpt-5',
      '  started  1 min ago (2026-11-21T09:29:00.000Z)',
      `  next     ${next}`,
      '',
    ].join('\n'),
    err: '',
  });
});

test('status --json is the description alone', async () => {
  const { code, out, err } = await described(['status', '--json'], [listed]);
  expect([code, JSON.parse(out), err]).toEqual([0, listed, '']);
});
