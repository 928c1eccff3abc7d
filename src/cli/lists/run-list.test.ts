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

test('a list says what is known of a run, and leaves out what is not', () => {
  const unknown: ListedRun = {
    ...ended,
    kind: null,
    outcome: null,
    findings: { critical: 0, important: 3, minor: 0 },
    started_at: null,
    tokens: 0,
    cost_usd: null,
    advisor: null,
    subject: null,
  };
  const early: ListedRun = { ...ended, ended_at: '2026-11-21T09:00:00.000Z', cost_usd: null };
  expect(printed(renderRuns([unknown, early], { nowMs, width: 200 })).split('\n')).toEqual([
    'Run                   Outcome   Crit  Imp  Min  Age   Time     Cost  What',
    '20261121-093005-x7k2  done         0    3    0    -      -        -',
    '20261121-093005-x7k2  findings     1    0    2  2 h  0.0 s  12k tok  review: main..HEAD (codex gpt-5.5)',
  ]);
  expect(printed(renderRuns([unknown, early], { nowMs, width: 50 })).split('\n')).toEqual([
    '20261121-093005-x7k2',
    '  done · 3 important',
    '',
    '20261121-093005-x7k2',
    '  findings · 1 critical · 2 minor · 2 h ago · took',
    '  0.0 s · 12k tokens',
    '  review: main..HEAD (codex gpt-5.5)',
  ]);
  expect(printed(renderRunState(unknown, { nowMs, width: 80, next: 'n' })).split('\n')).toEqual([
    '20261121-093005-x7k2',
    '  state     ended',
    '  findings  3 important',
    '  used      no model',
    '  next      n',
  ]);
  const state = renderRunState({ ...running, kind: null }, { nowMs, width: 80, next: 'n' });
  expect(printed(state).split('\n')).toEqual([
    '20261121-115900-aaaa',
    '  state    running',
    '  about    Add␛[2J a function',
    '  lead     claude_code',
    '  advisor  codex gpt-5.5',
    '  started  1 min ago (2026-11-21T11:59:00.000Z)',
    '  next     n',
  ]);
  const clean = { ...ended, findings: { critical: 0, important: 0, minor: 0 } };
  expect(printed(renderRunState(clean, { nowMs, width: 80, next: 'n' }))).toContain(
    '\n  findings  none that count\n',
  );
});

const escaped = (lines: readonly Line[]) => printed(lines, true).replaceAll('\u001b[', '^').split('\n');

test('every column has its own style', () => {
  const runs = [ended, { ...running, findings: { critical: 0, important: 0, minor: 0 } }];
  expect(escaped(renderRuns(runs, { nowMs, width: Infinity })).slice(1)).toEqual([
    '^1m20261121-093005-x7k2^22m  ^33mfindings^39m     ^31m^1m1^22m^39m    ^2m0^22m    ^36m^1m2^22m^39m    2 h  1 min 20 s  $0.03  review: main..HEAD^2m (codex gpt-5.5)^22m',
    '^1m20261121-115900-aaaa^22m  ^36mrunning^39m      ^2m0^22m    ^2m0^22m    ^2m0^22m  1 min           ^2m-^22m      ^2m-^22m  run: Add␛[2J a function^2m (claude_code + codex gpt-5.5)^22m',
  ]);
  expect(escaped(renderRunState(ended, { nowMs, width: 80, next: 'n' })).slice(0, 5)).toEqual([
    '^1m20261121-093005-x7k2^22m',
    '  ^2mstate^22m     ended',
    '  ^2moutcome^22m   ^33mfindings^39m',
    '  ^2mreview^22m    main..HEAD',
    '  ^2mfindings^22m  ^31m1 critical^39m, ^36m2 minor^39m',
  ]);
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

test('one check that differs or fails is counted in the singular', () => {
  const check = { name: 'git', text: 't', hint: null } as const;
  const sumOf = (...states: readonly ('ok' | 'differs' | 'fails')[]) =>
    printed(
      renderChecks(
        states.map((state) => ({ ...check, state })),
        80,
      ),
    )
      .split('\n')
      .at(-1);
  expect(sumOf('ok', 'ok', 'differs', 'fails')).toBe('4 checks: 2 ok, 1 differs, 1 fails');
  expect(sumOf('differs', 'differs')).toBe('2 checks: 2 differ');
  expect(sumOf('ok')).toBe('1 check: 1 ok');
});

test('a failed check is red, and its hint is bold, line by line', () => {
  const check = { name: 'git', state: 'fails', text: 'none', hint: 'install it\nor not' } as const;
  expect(escaped(renderChecks([check], 80))).toEqual([
    '^2mState^22m  ^2mCheck^22m  ^2mWhat was found^22m',
    '^31m^1mFAILS^22m^39m  git    none',
    '              ^1m→ install it^22m',
    '              ^1m→ or not^22m',
    '',
    '1 check: 1 fails',
  ]);
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
