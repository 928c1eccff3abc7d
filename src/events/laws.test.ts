import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryRun, arbitraryUnfinishedRun } from './arbitrary-events.test-helper.ts';
import { collabEventSchema, type CollabEvent, type EventBody } from './collab-event.ts';
import { journalRecord } from './journal-record.test-helper.ts';
import type { Law } from './law-types.ts';
import { checkLaws, createLawChecker } from './laws.ts';

test('generated runs are valid events and keep all laws', () => {
  fc.assert(
    fc.property(arbitraryRun(), (run) => {
      expect(run.map((event) => collabEventSchema.parse(event))).toEqual(run);
      expect(checkLaws(run)).toEqual([]);
    }),
  );
});

test('an unfinished run may leave things open', () => {
  fc.assert(
    fc.property(arbitraryUnfinishedRun(), (run) => {
      expect(checkLaws(run)).toEqual([]);
    }),
  );
});

test('checking record by record gives the same violations as checking all at once', () => {
  fc.assert(
    fc.property(arbitraryRun(), fc.nat(), (run, index) => {
      const damaged = run.toSpliced(index % run.length, 1);
      const checker = createLawChecker();
      const streamed = [...damaged.flatMap((event) => checker.see(event)), ...checker.end()];
      expect(streamed).toEqual(checkLaws(damaged));
    }),
  );
});

test('XB-1.1 a missing, doubled or misplaced record is reported', () => {
  fc.assert(
    fc.property(arbitraryRun(), fc.nat(), (run, index) => {
      const beforeTheLast = index % (run.length - 1);
      const doubled = run.slice(beforeTheLast, beforeTheLast + 1);
      expect(lawsBroken(run.toSpliced(beforeTheLast, 1))).toContain('XB-1');
      expect(lawsBroken(run.toSpliced(beforeTheLast, 0, ...doubled))).toContain('XB-1');
    }),
  );
});

test('XB-1.2,3 the run starts first and once, and nothing follows its end', () => {
  expect(broken({ type: 'title', title: 'x' })).toEqual([
    { law: 'XB-1', seq: 1, message: 'the first record is title' },
  ]);
  expect(broken(started, started)).toEqual([{ law: 'XB-1', seq: 2, message: 'the run starts twice' }]);
  expect(broken(started, ended, ended)).toEqual([
    { law: 'XB-1', seq: 3, message: 'run.ended follows run.ended' },
  ]);
  expect(checkLaws([])).toEqual([{ law: 'XB-1', seq: 0, message: 'there is no record' }]);
});

test('XB-2.1 a tool call has one result before the run ends', () => {
  expect(broken(started, call('c'), ended)).toEqual([
    { law: 'XB-2', seq: 3, message: 'the tool call c has no result' },
  ]);
  expect(broken(started, result('c'))).toEqual([
    { law: 'XB-2', seq: 2, message: 'a result without its tool call c' },
  ]);
  expect(broken(started, call('c'), result('c'), result('c'), ended)).toHaveLength(1);
  expect(broken(started, call('c'), call('c'), result('c'), ended)).toHaveLength(1);
  expect(broken(started, call('c'), call('d'), result('d'), result('c'), ended)).toEqual([]);
});

test('XB-3 the end of a text block is the sum of its deltas', () => {
  const [start, first, second] = [textStart('b'), delta('b', 'one '), delta('b', 'two')];
  expect(broken(started, start, first, second, textEnd('b', 'one two'), ended)).toEqual([]);
  expect(broken(started, start, first, textEnd('b', 'one two'), ended)).toEqual([
    { law: 'XB-3', seq: 4, message: 'the block b ends with 7 characters, its deltas hold 4' },
  ]);
  expect(broken(started, start, first, start, second, textEnd('b', 'two'), ended)).toEqual([]);
});

test('XB-4 an agent ends once, after the agents that it started', () => {
  expect(broken(started, agent('a'), ended)).toEqual([
    { law: 'XB-4', seq: 3, message: 'the agent a has no end' },
  ]);
  expect(broken(started, agentEnd('a'))).toEqual([
    { law: 'XB-4', seq: 2, message: 'the agent a ends without a start' },
  ]);
  expect(broken(started, agent('a'), agent('a'), agentEnd('a'), ended)).toHaveLength(1);
  const nested = [started, agent('a'), agent('b'), agentEnd('a'), agentEnd('b'), ended];
  const events = nested.map((body, index) => record(body, index + 1));
  const withParent = events.map((event) =>
    event.type === 'agent.started' && event.agent_id === 'b' ? { ...event, parent_agent_id: 'a' } : event,
  );
  expect(checkLaws(events)).toEqual([]);
  expect(checkLaws(withParent)).toEqual([
    { law: 'XB-4', seq: 4, message: 'the agent a ends before b, which it started' },
  ]);
});

test('XB-5 each attempt that was sent is settled once, and the exchange ends once', () => {
  const [first, second] = [sent(1), sent(2)];
  expect(broken(started, first, rejected, second, received, exchangeEnded, ended)).toEqual([]);
  expect(messages(started, first, second)).toEqual([
    'exchange e: attempt 1 was neither received nor rejected',
  ]);
  expect(messages(started, first, rejected, first)).toEqual([
    'exchange e: attempt 1 is sent after attempt 1',
  ]);
  expect(messages(started, first, received, rejected)).toEqual([
    'exchange e: exchange.rejected belongs to no attempt that was sent',
  ]);
  expect(messages(started, first, exchangeEnded)).toEqual(['exchange e: it ends while attempt 1 is open']);
  expect(messages(started, first, received, ended)).toEqual(['exchange e: it has no end']);
  expect(messages(started, first, received, exchangeEnded, exchangeEnded)).toEqual([
    'exchange e: exchange.ended follows its end',
  ]);
});

test('XB-5.1 X001-9.3 a turn after an answered reverse request goes on with its attempt', () => {
  expect(broken(started, sent(1), askedBack, answeredBack, sent(1), received, exchangeEnded, ended)).toEqual(
    [],
  );
  expect(messages(started, sent(1), askedBack, answeredBack, sent(2))).toEqual([
    'exchange e: attempt 2 is sent after attempt 1',
  ]);
});

test('XB-2.1 XB-4 XB-5 what an abandoned attempt had opened is void, what other steps opened is not', () => {
  const opened = [sent(1), call('c'), agent('a'), textStart('b'), delta('b', 'lost')];
  const abandoned: EventBody = { type: 'step.abandoned', step: 's', attempt: 1 };
  const again = [sent(1), textStart('b'), delta('b', 'kept'), textEnd('b', 'kept'), received, exchangeEnded];
  const bodies = [started, ...opened, abandoned, ...again, ended];
  const inStep = (step: string) =>
    bodies.map((body, index) => ({
      ...record(body, index + 1),
      ...(opened.includes(body) ? { step } : {}),
    }));
  expect(checkLaws(inStep('s'))).toEqual([]);
  expect(
    checkLaws(inStep('other'))
      .map(({ law }) => law)
      .toSorted(),
  ).toEqual(['XB-2', 'XB-4', 'XB-5']);
});

const started: EventBody = { type: 'run.started', name: 'collab', tools: [], cwd: '/' };
const ended: EventBody = {
  type: 'run.ended',
  status: 'success',
  outcome: 'clean',
  reasons: [],
  result: null,
  errors: [],
  duration_ms: 0,
  turns: 0,
};
const rejected: EventBody = { type: 'exchange.rejected', reason: 'empty', detail: '', action: 'repairing' };
const received: EventBody = { type: 'exchange.received', tag: '[RESPONSE:REVIEW]', sections: {} };
const exchangeEnded: EventBody = { type: 'exchange.ended', outcome: 'settled', attempts: 1 };
const askedBack: EventBody = { type: 'exchange.asked_back', tag: '[CONSULT:CLAUDE:CONTEXT]', text: '' };
const answeredBack: EventBody = {
  type: 'exchange.answered_back',
  by: 'policy',
  declined: 'no lead',
  text: '',
};

function sent(attempt: number): EventBody {
  return { type: 'exchange.sent', tag: '[REQUEST:REVIEW]', attempt, prompt_bytes: 0, prompt_ref: '' };
}

function call(call_id: string): EventBody {
  return {
    type: 'tool.call',
    call_id,
    name: 'T',
    display_name: 'T',
    args: {},
    summary: '',
    trigger: 'agent',
  };
}

function result(call_id: string): EventBody {
  return { type: 'tool.result', call_id, name: 'T', content: '', is_error: false, duration_ms: 0 };
}

function textStart(block_id: string): EventBody {
  return { type: 'text.start', block_id, follow_up: false };
}

function delta(block_id: string, text: string): EventBody {
  return { type: 'text.delta', block_id, text };
}

function textEnd(block_id: string, text: string): EventBody {
  return { type: 'text.end', block_id, text };
}

function agent(agent_id: string): EventBody {
  return { type: 'agent.started', agent_id, agent_type: 'T', description: '' };
}

function agentEnd(agent_id: string): EventBody {
  return { type: 'agent.ended', agent_id, status: 'completed' };
}

function broken(...bodies: readonly EventBody[]) {
  return checkLaws(bodies.map((body, index) => record(body, index + 1)));
}

function messages(...bodies: readonly EventBody[]): readonly string[] {
  return broken(...bodies).map(({ message }) => message);
}

function lawsBroken(events: readonly CollabEvent[]): readonly Law[] {
  return checkLaws(events).map(({ law }) => law);
}

function record(body: EventBody, seq: number): CollabEvent {
  return journalRecord(body, { seq, exchange_id: 'e' });
}
