import { expect, test } from 'vitest';
import { journalRecords, type RecordDraft } from '../../events/journal-record.test-helper.ts';
import { createMetrics, type CountedRuns, type Metrics } from './metrics.ts';
import { parseMetrics } from './parsed-metrics.test-helper.ts';

const since = Date.parse('2026-11-21T09:30:00Z');
const usage = {
  model: 'gpt-5',
  input: 1000,
  output: 200,
  cache_read: 300,
  cache_write_5m: 40,
  cache_write_1h: 2,
  cost: 0.5,
  cost_basis: 'profile',
} as const;
const started: RecordDraft = { type: 'run.started', name: 'Codex', tools: [], cwd: '/p' };

/** A call of so many seconds; `reason` rejects its answer. */
function call(
  step: string,
  { seconds = 4, reason, model = 'gpt-5', cost = 0.5 }: CallFacts = {},
): readonly RecordDraft[] {
  const ts = `2026-11-21T09:30:${String(seconds).padStart(2, '0')}.000000Z`;
  return [
    { type: 'step.begun', step, attempt: 1, input_digest: 'd' },
    { type: 'step.bound', step, session_id: 's' },
    { type: 'turn.started', step },
    { type: 'turn.ended', step, stop_reason: null, usage: { ...usage, model, cost }, ts },
    ...(reason === undefined
      ? []
      : [{ type: 'exchange.rejected', step, reason, detail: '', action: 'waiting', ts } as const]),
    { type: 'step.ended', step, attempt: 1, value: null, ts },
  ];
}

interface CallFacts {
  readonly seconds?: number;
  readonly reason?: 'overloaded';
  readonly model?: string;
  readonly cost?: number | null;
}

async function read(metrics: Metrics, runs: readonly CountedRuns[] = [], readers = 0) {
  return parseMetrics(await metrics.render({ runs, readers }));
}

test('a call of several model turns is counted once its step has ended, with all of them', async () => {
  const metrics = createMetrics(since);
  const ts = '2026-11-21T09:30:05.000000Z';
  const turn: readonly RecordDraft[] = [
    { type: 'turn.started', step: 'a' },
    { type: 'turn.ended', step: 'a', stop_reason: null, usage, ts },
  ];
  const events = journalRecords([
    started,
    { type: 'step.begun', step: 'a', attempt: 1, input_digest: 'd' },
    ...turn,
    ...turn,
    { type: 'step.ended', step: 'a', attempt: 1, value: null, ts },
  ]);
  for (const seen of [4, 5, events.length]) metrics.count('run-1', events.slice(0, seen));
  const found = await read(metrics);
  expect(found['collab_calls_total']).toEqual({ 'provider=codex,result=ok': 1 });
  expect(found['collab_tokens_total']).toMatchObject({ 'provider=codex,model=gpt-5,type=output': 400 });
});

test('calls, tokens, cost, retries and durations are counted, each once', async () => {
  const metrics = createMetrics(since);
  const events = journalRecords([
    started,
    ...call('a', { seconds: 8 }),
    ...call('b', { reason: 'overloaded', cost: null }),
  ]);
  for (const seen of [3, 5, 9, events.length, events.length]) metrics.count('run-1', events.slice(0, seen));
  const found = await read(metrics);
  expect(found['collab_calls_total']).toEqual({
    'provider=codex,result=ok': 1,
    'provider=codex,result=overloaded': 1,
  });
  expect(found['collab_tokens_total']).toEqual({
    'provider=codex,model=gpt-5,type=input': 2000,
    'provider=codex,model=gpt-5,type=output': 400,
    'provider=codex,model=gpt-5,type=cache_read': 600,
    'provider=codex,model=gpt-5,type=cache_write': 84,
  });
  expect(found['collab_cost_usd_total']).toEqual({ 'provider=codex,model=gpt-5': 0.5 });
  expect(found['collab_unpriced_calls_total']).toEqual({ 'provider=codex,model=gpt-5': 1 });
  expect(found['collab_retries_total']).toEqual({ 'provider=codex,reason=overloaded': 1 });
  const text = await metrics.render({ runs: [], readers: 0 });
  expect(text).toContain('\ncollab_call_duration_seconds_bucket{le="5",provider="codex"} 1\n');
  expect(text).toContain('\ncollab_call_duration_seconds_sum{provider="codex"} 12\n');
  expect(text).toContain('\ncollab_call_duration_seconds_count{provider="codex"} 2\n');
});

test('what was recorded before the process began is not counted', async () => {
  const metrics = createMetrics(since + 5000);
  metrics.count(
    'run-1',
    journalRecords([started, ...call('a', { seconds: 4 }), ...call('b', { seconds: 6 })]),
  );
  expect((await read(metrics))['collab_calls_total']).toEqual({ 'provider=codex,result=ok': 1 });
});

test('runs are those of now, and so are the readers', async () => {
  const metrics = createMetrics(since);
  const run = { kind: 'review', state: 'running', outcome: '', runs: 1 };
  await read(metrics, [run, run], 5);
  const found = await read(metrics, [{ ...run, state: 'ended', outcome: 'clean' }], 3);
  expect(found['collab_runs']).toEqual({ 'kind=review,state=ended,outcome=clean': 1 });
  expect(found['collab_stream_readers']).toEqual({ '': 3 });
  expect(found['process_cpu_seconds_total']).toBeDefined();
});

test('model names with quotes, line endings and control characters are one label, and many share one', async () => {
  const hostile = 'a"b\\\n# HELP x\u0000\u001b[31m\u202e}';
  const metrics = createMetrics(since);
  const names = [hostile, ...Array.from({ length: 300 }, (_item, index) => `m${index}${'x'.repeat(200)}`)];
  for (const [index, model] of names.entries()) {
    metrics.count(`run-${index}`, journalRecords([started, ...call('a', { model })]));
  }
  const text = await metrics.render({ runs: [], readers: 0 });
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  const cost = parseMetrics(text)['collab_cost_usd_total'] ?? {};
  expect(Object.keys(cost)).toHaveLength(101);
  expect(cost['provider=codex,model=other']).toBe(100.5);
});

test('a run of 20,000 records is counted', async () => {
  const metrics = createMetrics(since);
  const steps = Array.from({ length: 4000 }, (_item, index) => call(`step-${index}`));
  metrics.count('run-1', journalRecords([started, ...steps.flat()]));
  expect((await read(metrics))['collab_calls_total']).toEqual({ 'provider=codex,result=ok': 4000 });
});
