/** The commands on runs in each of their states: show, stats, cancel and resume. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { finding, report } from '../../../test/fixtures/reports/sample-report.ts';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { journalRecord } from '../../events/journal-record.test-helper.ts';
import { renderWorkOrder } from '../../prompts/lead/work-order.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { RunResult } from '../../runs/folder/result-file.ts';
import type { RunStanding } from '../../runs/folder/run-status.ts';
import { consultInput, consultResult, reviewInput } from '../../runs/folder/saved-runs.test-helper.ts';
import { atTerminal, collab, type SessionHow } from '../command.test-helper.ts';
import {
  engineWithRun,
  nowhere,
  openedRun,
  question,
  runId,
  standing,
} from '../engine/engine-with-run.test-helper.ts';

function show(flags: readonly string[], methods: Partial<Engine>, how: SessionHow = {}) {
  const engine = engineWithRun(openedRun(reviewInput()), methods);
  return collab(nowhere, ['show', ...flags], { engine, ...how });
}

function inState(state: RunStanding, result: RunResult | null): Partial<Engine> {
  return { status: async () => state, result: async () => result };
}

const status = `collab status ${runId} --remote`;

test.each([
  ['running', 11],
  ['interrupted', 4],
  ['waiting', 10],
] as const)('a run that is %s has no findings yet: exit code %d', async (state, code) => {
  const unfinished = { code, out: '', err: `${runId} is ${state}: ${status}\n` };
  for (const result of [null, report({ state: 'running' })]) {
    const methods = inState(standing(state), result);
    expect(await show(['--as-prompt'], methods)).toEqual(unfinished);
    expect(await show(['-i'], methods)).toEqual(unfinished);
  }
  expect(await show(['--json'], inState(standing(state), null))).toEqual(unfinished);
  const asJson = await show(['--json'], inState(standing(state), report()));
  expect([asJson.code, JSON.parse(asJson.out), asJson.err]).toEqual([code, report(), unfinished.err]);
});

test('show of a run that asks is its question; of one that goes on, its state', async () => {
  const asked = await show([], inState(standing('waiting', question('gate:design')), report()));
  expect(asked).toEqual({
    code: 10,
    out: `${runId} asks:\n\nOpen gate:design?\n\nTo answer, write approve or revise; then\n  collab answer ${runId} --remote --file -\n`,
    err: '',
  });
  const running = { code: 11, out: '', err: `${runId} is running: ${status}\n` };
  for (const result of [null, report()])
    expect(await show([], inState(standing('running'), result))).toEqual(running);
  const lost = { code: 4, out: '', err: `${runId} is ended: ${status}\n` };
  expect(await show([], inState(standing('ended'), null))).toEqual(lost);
  expect(await show(['--as-prompt'], inState(standing('ended'), null))).toEqual(lost);
  expect(await show(['-i'], inState(standing('ended'), null))).toEqual(lost);
});

test('show of a run that has ended is its report, with --ascii without emoji', async () => {
  const methods = inState(standing('ended'), report());
  const [usual, ascii] = [await show([], methods), await show(['--ascii'], methods)];
  expect([usual.code, usual.err, ascii.code, ascii.err]).toEqual([0, '', 0, '']);
  expect(usual.out).toMatch(/^src\/checkout\/total\.ts:41: critical: Total is rounded before tax \[f1\]\n/);
  expect(ascii.out).not.toBe(usual.out);
});

test('a consult has no work order and no walk', async () => {
  const methods = inState(standing('ended'), consultResult());
  for (const flag of ['--as-prompt', '-i']) {
    expect(await show([flag], methods)).toEqual({
      code: 2,
      out: '',
      err: `collab: ${runId} is a consult: it has no findings\n  collab show ${runId} --remote prints its answer\n`,
    });
  }
});

test.each([
  ['clean', ''],
  ['findings', ''],
  ['incomplete', `the review of ${runId} is incomplete: there may be more to fix\n`],
  ['failed', `the review of ${runId} is failed: there may be more to fix\n`],
] as const)('the work order of a review that is %s', async (outcome, err) => {
  const findings = [finding({ title: 'Round \u001b[2J once' })];
  const methods = inState(standing('ended'), report({ outcome, findings }));
  const order = renderWorkOrder(findings);
  expect(await show(['--as-prompt'], methods)).toEqual({ code: 0, out: order, err });
  const shown = await show(['--as-prompt'], methods, { screen: atTerminal });
  expect(shown.out).toBe(order.replaceAll('\u001b', '␛'));
});

test('show --prompt prints a prompt as it was sent, and a terminal gets no control characters', async () => {
  const sent = journalRecord({
    type: 'exchange.sent',
    tag: '[REQUEST:REVIEW]',
    attempt: 1,
    prompt_bytes: 1,
    prompt_ref: 'p1',
  });
  const other = journalRecord({ type: 'title', title: 'p2' });
  const texts: Partial<Engine> = {
    records: async () => [other, sent],
    text: async (_run, name) => (name === 'p1' ? 'Look \u001b[2J at it.\n' : null),
  };
  expect(await show(['--prompt', '1'], texts)).toEqual({ code: 0, out: 'Look \u001b[2J at it.\n', err: '' });
  const shown = await show(['--prompt', '1'], texts, { screen: atTerminal });
  expect(shown.out).toBe('Look ␛[2J at it.\n');
  expect(await show(['--prompt', '1'], { ...texts, text: async () => null })).toEqual({
    code: 4,
    out: '',
    err: `collab: the prompt 1 of ${runId} is missing\n`,
  });
  expect(await show(['--prompt', '1'], { ...texts, records: async () => [other] })).toEqual({
    code: 2,
    out: '',
    err: `collab: there is no prompt 1 in ${runId}\n  this run sent no prompt\n`,
  });
});

test('cancel ends a run, and waits for its process if it has one', async () => {
  const waited: unknown[] = [];
  const stop = new AbortController();
  const methods: Partial<Engine> = {
    status: async () => standing('running'),
    cancel: async () => 'ended',
    async untilFree(_run, signal) {
      waited.push(signal);
      return 'free';
    },
  };
  const cancel = (more: Partial<Engine> = {}) => {
    const engine = engineWithRun(openedRun(reviewInput()), { ...methods, ...more });
    return collab(nowhere, ['cancel'], { engine, signal: stop.signal });
  };
  const isCancelled = { code: 0, out: `${runId} is cancelled\n`, err: '' };
  expect([await cancel(), waited]).toEqual([isCancelled, []]);
  expect([await cancel({ cancel: async () => 'asked' }), waited]).toEqual([isCancelled, [stop.signal]]);
  const ended = journalRecord({
    type: 'run.ended',
    status: 'success',
    outcome: 'clean',
    reasons: [],
    result: null,
    errors: [],
    duration_ms: 1,
    turns: 0,
  });
  if (ended.type !== 'run.ended') throw new Error('another record');
  const hadEnded = { ...standing('ended'), ended };
  expect((await cancel({ status: async () => hadEnded })).out).toBe(`${runId} has already ended\n`);
  const interrupted = async () => {
    stop.abort(new CollabError('cancelled', 'stopped'));
    return 'still_driven' as const;
  };
  const left = await cancel({ cancel: async () => 'asked', untilFree: interrupted });
  expect([left.code, left.out]).toEqual([130, '']);
});

test('resume refuses a consult as findings before it goes on', async () => {
  const engine = engineWithRun(openedRun(consultInput()), {});
  expect((await collab(nowhere, ['resume', '--format', 'sarif'], { engine })).err).toBe(
    'collab: a consult has no findings, and sarif shows nothing else\n  use one of terminal, json, markdown\n',
  );
});

test('check names each law that the journal breaks, and ends with 1', async () => {
  const engine = engineWithRun(openedRun(reviewInput()), {
    records: async () => [
      journalRecord({ type: 'title', title: 'one' }),
      journalRecord({ type: 'title', title: 'two' }),
    ],
  });
  const { code, out, err } = await collab(nowhere, ['check'], { engine });
  const { out: json, code: same } = await collab(nowhere, ['check', '--json'], { engine });
  const { run, events, violations } = JSON.parse(json);
  const lines = violations.map(
    ({ law, seq, message }: { law: string; seq: number; message: string }) =>
      `${law} at ${seq}: ${message}\n`,
  );
  expect([code, same, err, run, events]).toEqual([1, 1, '', runId, 2]);
  expect(violations.length).toBeGreaterThan(0);
  expect(out).toBe(`${lines.join('')}${runId}: 2 events, ${violations.length} violations\n`);
});

/** The statistics of a folder with these results, the newest first, and this history. */
function stats(results: readonly (RunResult | Error | null)[], history = '', flags: readonly string[] = []) {
  const root = scratchFolder();
  mkdirSync(join(root, '.collab'));
  writeFileSync(join(root, '.collab/history.jsonl'), history);
  const runs = results.map((_result, index) => ({ runId: `r${index}`, path: '' }));
  const engine = engineWithRun(openedRun(reviewInput()), {
    list: async () => runs,
    async result({ runId: id }) {
      const result = results[Number(id.slice(1))] ?? null;
      if (result instanceof Error) throw result;
      return result;
    },
  });
  return collab({ root, env: { HOME: root } }, ['stats', ...flags], { engine });
}

function dismissal(identity: string): string {
  const facts = { severity: 'minor', path: 'a.js', title: 't', reason: 'known' };
  const at = '2026-11-21T09:30:00.000Z';
  return `${JSON.stringify({ schema: 'collab.dismissal/v1', at, run_id: 'r', identity, ...facts })}\n`;
}

test('stats have a row for each rule, class and folder, as wide as what they show', async () => {
  const [one, other, third] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)];
  const findings = [
    finding({ identity: one, source: 'rule:no-eval', path: 'src/\u001b/a.js', verdict: 'confirmed' }),
    finding({ identity: other, source: 'rule:no-eval', path: '税/b.js', verdict: 'rejected' }),
    finding({ identity: third, path: null }),
  ];
  const results = [
    report({ findings }),
    report({ findings: [] }),
    report({ state: 'running' }),
    consultResult(),
    null,
    new CollabError('result_file', 'damaged'),
  ];
  const history = `${dismissal(third)}${dismissal('d'.repeat(64))}nonsense\n`;
  expect(await stats(results, history)).toEqual({
    code: 0,
    out: [
      '3 findings of 2 reviews',
      '                reported  confirmed  rejected  dismissed  precision',
      'rule no rule           1          0         0          1        0 %',
      'rule no-eval           2          1         1          0       50 %',
      'class no class         3          1         1          1       33 %',
      'folder no path         1          0         0          1        0 %',
      'folder 税              1          0         1          0        0 %',
      'folder src/␛           1          1         0          0      100 %',
      'all                    3          1         1          1       33 %',
      '1 dismissal of findings that no review here has',
      'lines of the history that cannot be read: 3',
      '',
    ].join('\n'),
    err: 'r5 cannot be read and is not counted\n',
  });
  const asJson = await stats(results, history, ['--json']);
  expect(JSON.parse(asJson.out)).toMatchObject({
    reviews: 2,
    reported: 3,
    dismissed_elsewhere: 1,
    damaged_lines: [3],
  });
});

test('stats stop at an error that is not about one run', async () => {
  expect(await stats([new CollabError('network', 'The database is out of reach')])).toEqual({
    code: 4,
    out: '',
    err: 'collab: The database is out of reach\n',
  });
});
