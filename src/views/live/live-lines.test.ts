import { expect, test } from 'vitest';
import { journalRecord, type RecordDraft } from '../../events/journal-record.test-helper.ts';
import { displayWidth } from '../../text/display-width.ts';
import { createPaint } from '../../text/paint.ts';
import { createLiveWork } from './live-work.ts';
import { renderLiveLines, type LiveLinesOptions } from './live-lines.ts';

const begunMs = Date.parse('2026-11-21T09:30:00Z');
const ts = (afterMs: number) => `${new Date(begunMs + afterMs).toISOString().slice(0, -1)}000Z`;
const lead = { id: 'lead', role: 'lead', provider: 'claude_code' } as const;

/** The lines after these events, each at its time after the first one. */
function linesAfter(
  drafts: readonly (readonly [afterMs: number, draft: RecordDraft])[],
  options: Partial<LiveLinesOptions> & { readonly afterMs?: number } = {},
): readonly string[] {
  const activity = createLiveWork();
  for (const [afterMs, draft] of drafts) activity.push(journalRecord(draft, { ts: ts(afterMs) }));
  return renderLiveLines(activity.current(), {
    columns: 100,
    rows: 6,
    nowMs: begunMs + (options.afterMs ?? 0),
    paint: createPaint(false),
    cwd: '/project',
    ascii: true,
    ...options,
  });
}

const planned: RecordDraft = {
  type: 'review.planned',
  files: 2,
  lines: 12,
  skipped: [],
  chunks: [
    { name: 'chunk-1', paths: ['a.ts'], estimated_tokens: 9, lines: 5 },
    { name: 'chunk-2', paths: ['b.ts'], estimated_tokens: 9, lines: 7 },
  ],
};
const inChunk = (number: number) => ({ step: `chunk-${number}/turn-1`, exchange_id: `ex_chunk-${number}` });
const turn = (number: number): RecordDraft => ({ type: 'turn.started', ...inChunk(number) });
const call = (name: string, args: Record<string, string>, number = 1): RecordDraft => ({
  type: 'tool.call',
  call_id: 'c',
  name,
  display_name: name,
  args,
  summary: '',
  trigger: 'agent',
  ...inChunk(number),
});
const settled = (number: number): RecordDraft => ({
  type: 'exchange.ended',
  outcome: 'settled',
  attempts: 1,
  ...inChunk(number),
});

test('before the first event the run is at work', () => {
  expect(linesAfter([], { afterMs: 300 })).toEqual(['\\ at work - 0 s']);
});

test('each agent with an open turn has a line: its part, what it does and for how long', () => {
  expect(
    linesAfter(
      [
        [0, planned],
        [100, turn(1)],
        [200, turn(2)],
        [3000, call('Read', { file_path: '/project/src/x.ts' })],
      ],
      { afterMs: 5000 },
    ),
  ).toEqual([
    '\\ reviewing - 0 of 2 chunks settled - 5 s',
    '  Codex - chunk 1/2 a.ts (1 file, 5 lines) - [read] Reading src/x.ts - 2 s',
    '  Codex - chunk 2/2 b.ts (1 file, 7 lines) - thinking - 5 s',
  ]);
});

test('after its turn an agent has no line, and its chunk is settled', () => {
  const ended: RecordDraft = { type: 'turn.ended', stop_reason: null, usage: null, ...inChunk(1) };
  expect(
    linesAfter([
      [0, planned],
      [0, turn(1)],
      [0, turn(2)],
      [0, ended],
      [0, settled(1)],
    ]),
  ).toEqual([
    '- reviewing - 1 of 2 chunks settled - 0 s',
    '  Codex - chunk 2/2 b.ts (1 file, 7 lines) - thinking',
  ]);
});

test('an answer of the cache and a lost attempt leave no agent at work', () => {
  const sent: RecordDraft = {
    type: 'exchange.sent',
    tag: '[REQUEST:REVIEW]',
    attempt: 1,
    prompt_bytes: 1,
    prompt_ref: 'x',
  };
  const cached = { run_id: 'r', answered_at: '2026-11-21T09:00:00Z' };
  expect(
    linesAfter([
      [0, planned],
      [0, { ...sent, cached, ...inChunk(1) }],
      [0, { ...sent, ...inChunk(2) }],
      [0, { type: 'step.abandoned', attempt: 1, ...inChunk(2) }],
    ]),
  ).toHaveLength(1);
});

test('a run of phases shows phase and round, and each agent under its own name', () => {
  const activity = createLiveWork();
  activity.introduce({ lead: 'Claude Code', advisor: 'Codex' });
  const drafts: readonly RecordDraft[] = [
    { type: 'phase.started', phase: 'implementation', round: 2 },
    { type: 'turn.started', step: 'implementation/2/draft', agent: { ...lead, provider: 'rehearsal' } },
    { type: 'text.delta', block_id: 'b', text: 'x', step: 'implementation/2/draft', agent: lead },
  ];
  for (const draft of drafts) activity.push(journalRecord(draft));
  const { phase, workers } = activity.current();
  expect(phase).toEqual({ name: 'implementation', round: 2 });
  expect(workers).toMatchObject([{ name: 'Claude Code', role: 'lead', part: null, doing: 'writing' }]);
});

test('tokens and dollars of all agents are in the first line; without a price only the tokens', () => {
  const usage = {
    type: 'usage',
    model: 'm',
    input: 12_000,
    output: 345,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
    cost: 0.12,
    cost_basis: 'reported',
  } as const;
  expect(linesAfter([[0, { ...usage, step: 'a' }]])).toEqual(['- at work - 0 s - 12,345 tokens - $0.12']);
  expect(linesAfter([[0, { ...usage, cost: null, step: 'a' }]])).toEqual(['- at work - 0 s - 12,345 tokens']);
});

test('no line is wider than the terminal: the least important facts are left out first', () => {
  for (let columns = 20; columns <= 100; columns += 1) {
    const lines = linesAfter(
      [
        [0, planned],
        [0, call('Bash', { command: 'npm test -- 価格の計算' })],
      ],
      { columns, afterMs: 2000, ascii: false },
    );
    expect(lines.map(displayWidth).filter((width) => width > columns)).toEqual([]);
    expect(lines[1]).toContain('Codex');
  }
});

test('agents beyond the rows are counted', () => {
  const working = [1, 2, 3, 4].map((number) => [0, turn(number)] as const);
  expect(linesAfter([[0, planned], ...working], { rows: 4 })).toEqual([
    '- reviewing - 0 of 2 chunks settled - 0 s',
    '  Codex - chunk 1/2 a.ts (1 file, 5 lines) - thinking',
    '  Codex - chunk 2/2 b.ts (1 file, 7 lines) - thinking',
    '  and 2 agents at work',
  ]);
  expect(linesAfter([[0, planned], ...working], { rows: 1 })).toHaveLength(1);
});

test('what an agent wrote cannot move the cursor', () => {
  const lines = linesAfter([[0, call('Bash', { command: 'a\u001B[2J\rb\nc' })]]);
  // oxlint-disable-next-line no-control-regex
  expect(lines.join('')).not.toMatch(/[\u0000-\u001F]/);
});
