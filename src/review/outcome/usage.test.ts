import { expect, test } from 'vitest';
import type { CollabEvent, EventAgent, Usage } from '../../events/collab-event.ts';
import { journalRecords, type RecordDraft } from '../../events/journal-record.test-helper.ts';
import { noTokens } from '../../events/tokens.ts';
import { spendingOf, usageByAgent } from './usage.ts';

const advisor: EventAgent = { id: 'advisor', role: 'advisor', provider: 'codex' };
const lead: EventAgent = { id: 'lead', role: 'lead', provider: 'anthropic', model: 'claude' };

function journal(...drafts: readonly RecordDraft[]): readonly CollabEvent[] {
  return journalRecords(drafts);
}

function phasesOf(...told: readonly RecordDraft[]) {
  return usageByAgent(journal(...told)).map(({ phase }) => phase);
}

function costOf(...told: readonly RecordDraft[]) {
  return spendingOf(usageByAgent(journal(...told))).cost_usd;
}

function usage(input: number, output: number, cost: number | null): Usage {
  const cost_basis = cost === null ? 'unknown' : 'reported';
  return { model: 'm', input, output, cache_read: 0, cache_write_5m: 0, cache_write_1h: 0, cost, cost_basis };
}

function call(step: string, used: Usage | null, agent = advisor, attempt = 1): readonly RecordDraft[] {
  return [
    { type: 'step.begun', step, attempt, input_digest: 'd', agent },
    { type: 'turn.started', step, agent },
    { type: 'turn.ended', step, agent, stop_reason: null, usage: used },
    { type: 'step.ended', step, attempt, value: null, agent },
  ];
}

test('usage is summed up by phase, agent and model', () => {
  const rows = usageByAgent(
    journal(
      ...call('design/1/draft/turn-1', usage(100, 10, 0.5), lead),
      ...call('design/1/consult-1/turn-1', usage(7, 3, 0.25)),
      ...call('design/1/consult-1/turn-2', usage(3, 1, 0.25)),
      ...call('review/1/chunk-1/turn-1', usage(5, 5, 0.5)),
    ),
  );
  expect(
    rows.map((row) => [row.phase, row.agent, row.provider, row.model, row.calls, row.usage.input]),
  ).toEqual([
    ['design', 'lead', 'anthropic', 'm', 1, 100],
    ['design', 'advisor', 'codex', 'm', 2, 10],
    ['review', 'advisor', 'codex', 'm', 1, 5],
  ]);
  expect(spendingOf(rows)).toEqual({ usage: { ...noTokens, input: 115, output: 19 }, cost_usd: 1.5 });
});

test('a step that names no phase belongs to the open one, else to that of its request', () => {
  const sent = {
    type: 'exchange.sent',
    tag: '[CONSULT:DESIGN]',
    attempt: 1,
    prompt_bytes: 1,
    prompt_ref: 'p',
    exchange_id: 'ex_1',
  } as const;
  const turn = { type: 'turn.ended', stop_reason: null, usage: usage(1, 1, 0) } as const;
  expect(phasesOf(sent, { ...turn, exchange_id: 'ex_1', step: 'consult/turn-1' })).toEqual(['design']);
  expect(phasesOf({ type: 'phase.started', phase: 'implementation', round: 1 }, turn)).toEqual([
    'implementation',
  ]);
  expect(phasesOf(turn)).toEqual([null]);
});

test('the cost is unknown as soon as one call has no price', () => {
  const priced = call('review/chunk-1/turn-1', usage(1, 1, 0.5));
  expect(costOf(...priced)).toBe(0.5);
  expect(costOf(...priced, ...call('review/chunk-2/turn-1', usage(1, 1, null)))).toBeNull();
  expect(costOf(...priced, ...call('review/chunk-2/turn-1', null))).toBeNull();
  expect(costOf()).toBeNull();
});

test('the usage of a turn counts only if none of its model calls reported any', () => {
  const step = 'review/chunk-1/turn-1';
  const [row] = usageByAgent(
    journal(
      { type: 'turn.started', step },
      { type: 'usage', step, ...usage(1, 2, 0.1) },
      { type: 'usage', step, ...usage(1, 2, 0.1) },
      { type: 'turn.ended', step, stop_reason: null, usage: usage(2, 4, 0.2) },
    ),
  );
  expect(row).toMatchObject({ calls: 1, usage: { input: 2, output: 4 }, cost_usd: 0.2 });
});

test('a call that was lost with its process has an unknown price', () => {
  const step = 'review/chunk-1/turn-1';
  const lost: readonly RecordDraft[] = [
    { type: 'step.begun', step, attempt: 1, input_digest: 'd' },
    { type: 'turn.started', step },
    { type: 'step.abandoned', step, attempt: 1 },
  ];
  expect(usageByAgent(journal(...lost, ...call(step, usage(1, 1, 0.5), advisor, 2)))).toMatchObject([
    { calls: 1, model: null, cost_usd: null },
    { calls: 1, model: 'm', usage: { input: 1 }, cost_usd: 0.5 },
  ]);
});

test('a lost call whose answer was found again is one call, with the recovered usage', () => {
  const step = 'review/chunk-1/turn-1';
  const rows = usageByAgent(
    journal(
      ...call(step, usage(9, 9, 0.9)).slice(0, 3),
      { type: 'step.abandoned', step, attempt: 1 },
      { type: 'step.begun', step, attempt: 2, input_digest: 'd' },
      { type: 'turn.ended', step, stop_reason: null, usage: usage(9, 9, 0.9) },
      { type: 'step.ended', step, attempt: 2, value: null },
    ),
  );
  expect(rows).toMatchObject([{ calls: 1, usage: { input: 9, output: 9 }, cost_usd: 0.9 }]);
});
