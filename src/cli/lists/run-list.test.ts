import { expect, test } from 'vitest';
import type { ListedRun } from '../../runs/folder/listed-run.ts';
import { createPaint } from '../../text/paint.ts';
import { paintLine, type Line } from '../../text/spans.ts';
import { renderChecks } from './check-list.ts';
import { renderRuns, renderRunState } from './run-list.ts';

const nowMs = Date.parse('2026-11-21T12:00:00.000Z');

const ended: ListedRun = {
  run: '20261121-093005-x7k2',
  kind: 'review',
  state: 'ended',
  outcome: 'findings',
  findings: { critical: 1, important: 0, minor: 2 },
  started_at: '2026-11-21T09:30:00.000Z',
  ended_at: '2026-11-21T09:31:20.000Z',
  tokens: 12_345,
  cost_usd: 0.0321,
  lead: null,
  advisor: { provider: 'codex', model: 'gpt-5.5' },
  subject: 'main..HEAD',
};

const running: ListedRun = {
  ...ended,
  run: '20261121-115900-aaaa',
  kind: 'run',
  state: 'running',
  outcome: null,
  findings: null,
  started_at: '2026-11-21T11:59:00.000Z',
  ended_at: null,
  tokens: null,
  cost_usd: null,
  lead: { provider: 'claude_code', model: null },
  subject: 'Add\u001b[2J a function',
};

const printed = (lines: readonly Line[], color = false) =>
  lines.map((line) => paintLine(line, createPaint(color))).join('\n');

test('each run has its outcome or state, its findings, age, time, cost, subject and agents', () => {
  expect(printed(renderRuns([running, ended], { nowMs, width: Infinity }))).toBe(
    [
      'Run                   Outcome   Crit  Imp  Min    Age        Time   Cost  What',
      '20261121-115900-aaaa  running      -    -    -  1 min           -      -  run: Add␛[2J a function (claude_code + codex gpt-5.5)',
      '20261121-093005-x7k2  findings     1    0    2    2 h  1 min 20 s  $0.03  review: main..HEAD (codex gpt-5.5)',
    ].join('\n'),
  );
});

test('a narrow terminal says the same in words', () => {
  expect(printed(renderRuns([ended], { nowMs, width: 40 }))).toBe(
    [
      '20261121-093005-x7k2',
      '  findings · 1 critical · 2 minor · 2 h',
      '  ago · took 1 min 20 s · $0.03',
      '  review: main..HEAD (codex gpt-5.5)',
    ].join('\n'),
  );
});

test('outcomes and severities are colored, and NO_COLOR changes nothing else', () => {
  const runs = renderRuns([ended], { nowMs, width: 100 });
  expect(printed(runs, true)).toContain('\u001b[33mfindings\u001b[39m');
  // oxlint-disable-next-line no-control-regex
  expect(printed(runs, true).replaceAll(/\u001b\[\d+m/g, '')).toBe(printed(runs));
});

test('tokens stand for a cost that is unknown; a run without a model used none', () => {
  const costs = [
    { ...ended, cost_usd: null },
    { ...ended, cost_usd: null, tokens: 0 },
  ].map((run) => printed(renderRunState(run, { nowMs, width: 80, next: 'n' })).match(/used.*/)?.[0]);
  expect(costs).toEqual(['used      12,345 tokens; cost unknown', 'used      no model']);
});

test('the state of a run is a list of fields that ends with the next step', () => {
  expect(printed(renderRunState(ended, { nowMs, width: 80, next: 'see its result: collab show' }))).toBe(
    [
      '20261121-093005-x7k2',
      '  state     ended',
      '  outcome   findings',
      '  review    main..HEAD',
      '  findings  1 critical, 2 minor',
      '  advisor   codex gpt-5.5',
      '  started   2 h ago (2026-11-21T09:30:00.000Z)',
      '  took      1 min 20 s',
      '  used      12,345 tokens; $0.03',
      '  next      see its result: collab show',
    ].join('\n'),
  );
});

test('checks end with their sum, and a hint is below its check', () => {
  const checks = [
    { name: 'git', state: 'ok', text: '2.39', hint: null },
    { name: 'codex program', state: 'fails', text: 'not installed', hint: 'npm install it' },
    { name: 'claude program', state: 'fails', text: 'not installed', hint: null },
  ] as const;
  expect(printed(renderChecks(checks, 80))).toBe(
    [
      'State  Check           What was found',
      'ok     git             2.39',
      'FAILS  codex program   not installed',
      '                       → npm install it',
      'FAILS  claude program  not installed',
      '',
      '3 checks: 1 ok, 2 fail',
    ].join('\n'),
  );
});
