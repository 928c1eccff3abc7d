import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import type { RecordDraft } from '../journal/journal.ts';
import { createOpenings } from './open-records.ts';

function draft(body: EventBody): RecordDraft {
  return { body, turn: 1, step: 's1', exchangeId: 'e1' };
}

const call: EventBody = {
  type: 'tool.call',
  call_id: 'c',
  name: 'Read',
  display_name: 'Read',
  args: {},
  summary: '',
  trigger: 'agent',
};
const sent = (attempt: number) =>
  draft({ type: 'exchange.sent', tag: '[REQUEST:REVIEW]', attempt, prompt_bytes: 1, prompt_ref: 'p' });
const rejected = draft({ type: 'exchange.rejected', reason: 'empty', detail: '', action: 'repairing' });
const received = draft({ type: 'exchange.received', tag: '[RESPONSE:REVIEW]', sections: {} });
const ended = draft({ type: 'exchange.ended', outcome: 'settled', attempts: 1 });

const end = (attempts: number) => ({
  body: { type: 'exchange.ended', outcome: 'exhausted', attempts },
  turn: 7,
  exchangeId: 'e1',
});
const cut = {
  body: { type: 'exchange.rejected', reason: 'cut', detail: 'The run was cancelled.', action: 'exhausted' },
  turn: 7,
  exchangeId: 'e1',
};

test.each<[string, readonly RecordDraft[], readonly object[]]>([
  ['that was sent is rejected, then ended', [sent(1)], [cut, end(1)]],
  ['whose repeat was sent ends with two attempts', [sent(1), rejected, sent(2)], [cut, end(2)]],
  ['that was answered is only ended', [sent(1), received], [end(1)]],
  ['whose answer was rejected is only ended', [sent(1), rejected], [end(1)]],
  ['that has ended is not ended again', [sent(1), received, ended], []],
])('a canceled run: an exchange %s', (_name, past, closers) => {
  const openings = createOpenings([]);
  for (const one of past) openings.see(one);
  expect(openings.exchangeClosers(7)).toEqual(closers);
});

test('an abandoned attempt ends its agents and tools, the innermost first, and no longer counts', () => {
  const openings = createOpenings([]);
  for (const one of [sent(1), draft(call)]) openings.see(one);
  const drafts = openings.abandon({ type: 'step.abandoned', step: 's1', attempt: 1 }, 7);
  expect(drafts.map(({ body }) => body.type)).toEqual(['tool.result', 'step.abandoned']);
  expect(drafts[0]?.body).toMatchObject({ call_id: 'c', is_error: true });
  expect([openings.closersOf('s1'), openings.exchangeClosers(7)]).toEqual([[], []]);
});

test('a tool that a former process left open ends as the call of its own agent, below the same parent', () => {
  const of = {
    agent: { id: 'sub', role: 'advisor', provider: 'codex' },
    parent_agent_id: 'advisor',
    exchange_id: 'e1',
    step: 's1',
  } as const;
  const past = journalRecords([{ ...call, ...of }]);
  expect(createOpenings(past).closersOf('s1')).toMatchObject([
    { body: { call_id: 'c' }, agent: of.agent, parentAgentId: 'advisor', exchangeId: 'e1', step: 's1' },
  ]);
});
