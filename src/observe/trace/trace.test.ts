import { expect, test } from 'vitest';
import type { CollabEvent } from '../../events/collab-event.ts';
import { journalRecords, type RecordDraft } from '../../events/journal-record.test-helper.ts';
import { displayWidth } from '../../text/display-width.ts';
import { collect, type CollectedSpan } from './collector.test-helper.ts';
import { encodeOtlp } from './otlp.ts';
import { renderTrace } from './trace-lines.ts';
import { traceOf, type TracedRun } from './trace-of.ts';

const run: TracedRun = { runId: 'run-1', runKind: 'review', state: 'ended' };
const usage = {
  model: 'gpt-5',
  input: 1000,
  output: 200,
  cache_read: 300,
  cache_write_5m: 40,
  cache_write_1h: 2,
  reasoning: 50,
  cost: 0.0125,
  cost_basis: 'profile',
} as const;
const second = (count: number): string => `2026-11-21T09:30:${String(count).padStart(2, '0')}.000000Z`;
const started: RecordDraft = { type: 'run.started', name: 'Codex', tools: [], cwd: '/p', ts: second(0) };
const ended: RecordDraft = {
  type: 'run.ended',
  status: 'success',
  outcome: 'clean',
  reasons: [],
  result: null,
  errors: [],
  duration_ms: 9000,
  turns: 1,
  ts: second(9),
};

/** A step with one call, from second `from` to second `to`. */
function call(
  step: string,
  from: number,
  to: number,
  inside: readonly RecordDraft[] = [],
): readonly RecordDraft[] {
  return [
    { type: 'step.begun', step, attempt: 1, input_digest: 'd', ts: second(from) },
    { type: 'step.bound', step, session_id: 's', ts: second(from) },
    { type: 'turn.started', step, ts: second(from + 1) },
    ...inside.map((draft) => ({ step, ts: second(from + 1), ...draft })),
    { type: 'turn.ended', step, stop_reason: 'end_turn', usage, ts: second(to) },
    { type: 'step.ended', step, attempt: 1, value: null, ts: second(to) },
  ];
}

function linesOf(drafts: readonly RecordDraft[], facts: Partial<TracedRun> = {}): readonly string[] {
  return renderTrace(traceOf(journalRecords(drafts), { ...run, ...facts }), 80).map((line) =>
    line.replace(/ {2,}(?=\S)/g, (room, at: number) => (at === 0 ? room : ' | ')),
  );
}

function spansOf(events: readonly CollabEvent[]): readonly CollectedSpan[] {
  return collect(encodeOtlp(traceOf(events, run), '1.2.3'));
}

function attribute(span: CollectedSpan | undefined, key: string): unknown {
  return span?.attributes.find((one) => one.key === key)?.value;
}

const toolCall: RecordDraft = {
  type: 'tool.call',
  call_id: 't1',
  name: 'Read',
  display_name: 'Read',
  args: { file_path: 'secret-plan.md' },
  summary: 'secret-plan.md',
  trigger: 'agent',
};
const toolResult: RecordDraft = {
  type: 'tool.result',
  call_id: 't1',
  name: 'Read',
  content: 'the plan',
  is_error: true,
  duration_ms: 1,
};

test('a run is a tree of its steps, paid calls and tools, with sums', () => {
  const drafts = [
    started,
    ...call('a', 1, 5, [toolCall, { ...toolResult, ts: second(3) }]),
    ...call('b', 6, 8),
    ended,
  ];
  expect(linesOf(drafts)).toEqual([
    expect.stringMatching(/^ +time \| tokens \| cost$/),
    'review run-1: clean | 9 s | 3,084 | $0.03',
    '  a | 4 s | 1,542 | $0.01',
    '    advisor, gpt-5 | 4 s | 1,542 | $0.01',
    '      tool Read: error | 1 s',
    '  b | 2 s | 1,542 | $0.01',
    '    advisor, gpt-5 | 2 s | 1,542 | $0.01',
  ]);
});

test('steps and questions are below the phase that their name begins with', () => {
  const drafts: readonly RecordDraft[] = [
    started,
    { type: 'step.begun', step: 'design/1/begin', attempt: 1, input_digest: 'd', ts: second(1) },
    { type: 'phase.started', phase: 'design', round: 1, step: 'design/1/begin', ts: second(2) },
    { type: 'step.ended', step: 'design/1/begin', attempt: 1, value: null, ts: second(2) },
    {
      type: 'question.asked',
      name: 'design/1/gate',
      kind: 'gate',
      text: 'Go on?',
      schema: {},
      ts: second(3),
    },
  ];
  expect(linesOf(drafts, { runKind: 'run', state: 'waiting' }).slice(1)).toEqual([
    'run run-1: waiting | 3 s',
    '  design, round 1: not over | 2 s',
    '    begin | 1 s',
    '    question (gate): no answer | 0.0 s',
  ]);
  const answered: RecordDraft = {
    type: 'question.answered',
    name: 'design/1/gate',
    by: 'user',
    value: 'yes',
    ts: second(8),
  };
  expect(linesOf([...drafts, answered], { runKind: 'run' }).at(-1)).toBe(
    '    question (gate): answered by user | 5 s',
  );
});

test('an attempt that was lost with its process ends with its last sign, and so does its call', () => {
  const [begun, bound, turn] = call('a', 1, 5);
  const drafts = [
    started,
    ...[begun, bound, turn].filter((draft) => draft !== undefined),
    { ...toolCall, step: 'a', ts: second(4) },
    { type: 'step.abandoned', step: 'a', attempt: 1, ts: second(50) } as const,
    { type: 'step.begun', step: 'a', attempt: 2, input_digest: 'd', ts: second(51) } as const,
  ];
  expect(linesOf(drafts, { state: 'interrupted' }).slice(1)).toEqual([
    'review run-1: interrupted | 51 s | 0 | unknown',
    '  a: lost | 3 s | 0 | unknown',
    '    advisor, codex: lost | 3 s | 0 | unknown',
    '      tool Read: lost | 0.0 s',
    '  a, attempt 2: not over | 0.0 s',
  ]);
});

test('a canceled run and a rejected answer have their reason as a fault', () => {
  const rejected: RecordDraft = {
    type: 'exchange.rejected',
    step: 'a',
    reason: 'malformed',
    detail: 'x',
    action: 'repairing',
    ts: second(5),
  };
  const drafts = [
    started,
    ...call('a', 1, 5),
    rejected,
    { ...ended, status: 'cancelled', outcome: null } as const,
  ];
  expect(linesOf(drafts)[1]).toMatch(/^review run-1: cancelled/);
  expect(linesOf(drafts)[3]).toMatch(/^ {4}advisor, gpt-5: malformed/);
  const [root, , agent] = spansOf(journalRecords(drafts));
  expect(root).toMatchObject({ status: { code: 2, message: 'cancelled' } });
  expect(attribute(agent, 'error.type')).toEqual({ stringValue: 'malformed' });
});

test('spans are of the protocol and have the attributes of the conventions for generative AI', () => {
  const spans = spansOf(journalRecords([started, ...call('a', 1, 5, [toolCall, toolResult]), ended]));
  expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
    ['invoke_workflow collab review', 1],
    ['step a', 1],
    ['invoke_agent advisor', 3],
    ['execute_tool Read', 1],
  ]);
  const [root, step, agent, tool] = spans;
  expect([step?.parentSpanId, agent?.parentSpanId, tool?.parentSpanId]).toEqual([
    root?.spanId,
    step?.spanId,
    agent?.spanId,
  ]);
  expect(agent).toMatchObject({
    startTimeUnixNano: '1795253401000000000',
    endTimeUnixNano: '1795253405000000000',
  });
  expect(Object.fromEntries((agent?.attributes ?? []).map(({ key, value }) => [key, value]))).toEqual({
    'gen_ai.operation.name': { stringValue: 'invoke_agent' },
    'gen_ai.provider.name': { stringValue: 'codex' },
    'gen_ai.agent.name': { stringValue: 'advisor' },
    'gen_ai.request.model': { stringValue: 'gpt-5' },
    'gen_ai.response.model': { stringValue: 'gpt-5' },
    'gen_ai.usage.input_tokens': { intValue: '1342' },
    'gen_ai.usage.output_tokens': { intValue: '200' },
    'gen_ai.usage.cache_read.input_tokens': { intValue: '300' },
    'gen_ai.usage.cache_creation.input_tokens': { intValue: '42' },
    'gen_ai.usage.reasoning.output_tokens': { intValue: '50' },
    'collab.cost.usd': { doubleValue: 0.0125 },
  });
});

test('spans hold no arguments, no output and no text of a question', () => {
  const asked: RecordDraft = {
    type: 'question.asked',
    name: 'gate',
    kind: 'gate',
    text: 'the plan',
    schema: {},
  };
  const drafts = [started, ...call('a', 1, 5, [toolCall, toolResult, { ...asked }])];
  expect(JSON.stringify(spansOf(journalRecords(drafts)))).not.toMatch(/plan/);
});

test('the same run has the same ids whenever it is read', () => {
  const events = journalRecords([started, ...call('a', 1, 5), ended]);
  const early = spansOf(events.slice(0, 5)).map(({ spanId }) => spanId);
  expect(spansOf(events).map(({ spanId }) => spanId)).toEqual(early);
});

test('names with control characters and any length stay in their line and column', () => {
  const name = `\u001b[31mRead\n"tool"\u202e\u0000${'界'.repeat(500)}`;
  const drafts = [started, ...call('a', 1, 5, [{ ...toolCall, name }])];
  const lines = renderTrace(traceOf(journalRecords(drafts), run), 80);
  expect(lines.map(displayWidth).every((width) => width <= 80)).toBe(true);
  // oxlint-disable-next-line no-control-regex
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
  const [, , , tool] = spansOf(journalRecords(drafts));
  expect(tool?.name.length).toBe(200);
});

test('a run of 20,000 records, most of them tools of one call, is a tree', () => {
  const tools = Array.from({ length: 10_000 }, (_item, index) => [
    { ...toolCall, call_id: `t${index}` },
    { ...toolResult, call_id: `t${index}` },
  ]).flat();
  const events = journalRecords([started, ...call('a', 1, 5, tools), ended]);
  expect(traceOf(events, run).spans).toHaveLength(10_003);
});

test('a run that has recorded nothing is refused', () => {
  expect(() => traceOf([], run)).toThrow('run-1 has recorded nothing yet');
});
