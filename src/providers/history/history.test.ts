import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  arbitraryHistory,
  arbitrarySteps,
  historiesOf,
  newHistory,
} from '../arbitrary-history.test-helper.ts';
import { branchesAt, appendMessage, editMessage, switchBranch } from './history-edit.ts';
import { checkHistory, parseHistory } from './history-integrity.ts';
import { uncheckedPlaces } from '../../../test/fixtures/unchecked-places.ts';
import {
  getConversationThread,
  historyMessageSchema,
  historySchema,
  messageRoles,
  newMessageId,
  type ConversationHistory,
} from './history.ts';

const now = '2026-01-01T00:00:01.000Z';

/** user u1 → assistant a1 with two calls → tool t1 → tool t2 → assistant a2. */
function sample(): ConversationHistory {
  return [
    { id: 'u1', role: 'user' as const, content: 'hello' },
    { id: 'a1', role: 'assistant' as const, content: '', tool_calls: [call('c1'), call('c2')] },
    { id: 't1', role: 'tool' as const, content: 'one', tool_call_id: 'c1' },
    { id: 't2', role: 'tool' as const, content: 'two', tool_call_id: 'c2' },
    { id: 'a2', role: 'assistant' as const, content: 'done' },
  ].reduce((history, { id, ...message }) => appendMessage(history, message, { id, now }), newHistory());
}

function call(id: string) {
  return { tool_call_id: id, function_name: 'look', arguments: { at: id } };
}

function threadIds(history: ConversationHistory): readonly string[] {
  return getConversationThread(history).map(({ id }) => id);
}

test('R003-19 R003-20.1,3 R003-23 a history is written in the names of the specification', () => {
  const history = sample();
  expect(Object.keys(history)).toEqual([
    'conversation_id',
    'title',
    'created_at',
    'updated_at',
    'model',
    'platform',
    'messages',
    'root_id',
    'current_node',
  ]);
  expect(history.messages['a1']).toEqual({
    id: 'a1',
    role: 'assistant',
    content: '',
    parent_id: 'u1',
    children_ids: ['t1'],
    created_at: now,
    tool_calls: [
      { tool_call_id: 'c1', function_name: 'look', arguments: { at: 'c1' } },
      { tool_call_id: 'c2', function_name: 'look', arguments: { at: 'c2' } },
    ],
  });
  expect(history).toMatchObject({ root_id: 'u1', current_node: 'a2', updated_at: now });
});

test('each field of a history and of its messages is checked', () => {
  const [message] = Object.values(sample().messages);
  const whole = {
    ...message,
    role: 'assistant',
    attachments: [{ type: 'image', mime_type: 'image/png', url: 'a.png', name: 'a' }],
    tool_calls: [call('c1')],
    tool_call_id: 'c1',
    is_error: true,
    opaque: { model: 'm', values: ['signed'] },
    status: 'aborted',
  };
  expect(uncheckedPlaces(historyMessageSchema, whole)).toEqual([]);
  expect(uncheckedPlaces(historySchema, sample())).toEqual([]);
});

test('R003-24.1 the thread is walked from the current message to the root', () => {
  expect(threadIds(sample())).toEqual(['u1', 'a1', 't1', 't2', 'a2']);
});

test('R003-21 the roles are four', () => {
  expect(messageRoles).toEqual(['user', 'assistant', 'tool', 'system']);
  const history = sample();
  const other = {
    ...history,
    messages: { ...history.messages, a2: { ...history.messages['a2'], role: 'bot' } },
  };
  expect(() => parseHistory(other)).toThrow('/messages/a2/role');
});

test('R003-20.2 R003-22 an attachment has a kind, a type, a place and a name', () => {
  const picture = { type: 'image' as const, mime_type: 'image/png', url: '/tmp/a.png', name: 'a.png' };
  const history = appendMessage(
    newHistory(),
    { role: 'user', content: 'see', attachments: [picture] },
    { id: 'u1', now },
  );
  expect(parseHistory(JSON.parse(JSON.stringify(history))).messages['u1']?.attachments).toEqual([picture]);
  const bad = { ...picture, type: 'hologram' };
  expect(() =>
    parseHistory({ ...history, messages: { u1: { ...history.messages['u1'], attachments: [bad] } } }),
  ).toThrow('/messages/u1/attachments/0/type');
});

test('X003-2.1 an empty history has no messages and no ids', () => {
  expect(newHistory()).toMatchObject({ messages: {}, root_id: null, current_node: null });
  expect(checkHistory(newHistory())).toEqual([]);
  expect(checkHistory({ ...newHistory(), root_id: 'x', current_node: 'y' })).toEqual([
    { place: '/root_id', message: 'must be null if there are no messages' },
    { place: '/current_node', message: 'must be null if there are no messages' },
  ]);
});

test('X003-2.2 an id is msg_ and twelve characters of base 36', () => {
  expect(newMessageId(() => 0)).toBe('msg_000000000000');
  expect(newMessageId(() => 0.9999)).toBe('msg_zzzzzzzzzzzz');
});

test('an edited message is a new branch, and both branches can be selected', () => {
  const edited = editMessage(sample(), 'a2', { content: 'better' }, { id: 'a3', now, rootId: 'r' });
  expect(branchesAt(edited, 'a3')).toEqual(['a2', 'a3']);
  expect(threadIds(edited)).toEqual(['u1', 'a1', 't1', 't2', 'a3']);
  expect(threadIds(switchBranch(edited, 'a2'))).toEqual(['u1', 'a1', 't1', 't2', 'a2']);
});

test('an edited first message is next to the old one below a system root', () => {
  const edited = editMessage(sample(), 'u1', { content: 'good day' }, { id: 'u2', now, rootId: 'r' });
  expect(edited).toMatchObject({ root_id: 'r', current_node: 'u2' });
  expect(branchesAt(edited, 'u1')).toEqual(['u1', 'u2']);
  expect(threadIds(switchBranch(edited, 'u1'))).toEqual(['r', 'u1', 'a1', 't1', 't2', 'a2']);
});

test('X003-1 whatever is said, edited and switched, the laws hold and no message is lost', () => {
  fc.assert(
    fc.property(arbitrarySteps, (steps) => {
      let before = newHistory();
      for (const history of historiesOf(steps)) {
        expect(checkHistory(history)).toEqual([]);
        expect(Object.keys(history.messages)).toEqual(expect.arrayContaining(Object.keys(before.messages)));
        before = history;
      }
      expect(parseHistory(JSON.parse(JSON.stringify(before)))).toEqual(before);
    }),
  );
});

type Break = (history: ConversationHistory) => unknown;

function withMessage(id: string, change: Record<string, unknown>): Break {
  return (history) => ({
    ...history,
    messages: { ...history.messages, [id]: { ...history.messages[id], ...change } },
  });
}

test.each<[string, Break, string]>([
  ['a root that is gone', (history) => ({ ...history, root_id: 'x' }), '/root_id'],
  ['a root with a parent', withMessage('u1', { parent_id: 'a2' }), '/messages/u1/parent_id'],
  ['a current message that is gone', (history) => ({ ...history, current_node: 'x' }), '/current_node'],
  ['a second message without a parent', withMessage('a2', { parent_id: null }), '/messages/a2/parent_id'],
  ['a parent that is gone', withMessage('a2', { parent_id: 'x' }), '/messages/a2/parent_id'],
  [
    'a parent that does not know its child',
    withMessage('t2', { children_ids: [] }),
    '/messages/a2/parent_id',
  ],
  ['a child that is gone', withMessage('a2', { children_ids: ['x'] }), '/messages/a2/children_ids/0'],
  ['a child of another', withMessage('a2', { children_ids: ['t1'] }), '/messages/a2/children_ids/0'],
  ['a child named twice', withMessage('t2', { children_ids: ['a2', 'a2'] }), '/messages/t2/children_ids/1'],
  [
    'a child before its parent',
    withMessage('a2', { created_at: '2025-01-01T00:00:00.000Z' }),
    'a2/created_at',
  ],
  ['another id under a key', withMessage('a2', { id: 'a9' }), '/messages/a2/id'],
  ['an answer to no call', withMessage('t2', { tool_call_id: 'c9' }), '/messages/t2/tool_call_id'],
  ['an answer given twice', withMessage('t2', { tool_call_id: 'c1' }), '/messages/t2/tool_call_id'],
  ['an answer without a call', withMessage('t2', { tool_call_id: undefined }), '/messages/t2/tool_call_id'],
  [
    'an answer that begins the conversation',
    withMessage('u1', { role: 'tool', tool_call_id: 'c1' }),
    '/messages/u1/tool_call_id: there is no open call c1 before it',
  ],
  ['a user that answers a call', withMessage('u1', { tool_call_id: 'c1' }), '/messages/u1/tool_call_id'],
  ['a user that calls tools', withMessage('u1', { tool_calls: [] }), '/messages/u1/tool_calls'],
  ['a time without milliseconds', withMessage('a2', { created_at: '2026-01-01T00:00:01Z' }), 'a2/created_at'],
  ['no messages at all', (history) => ({ ...history, messages: undefined }), '/messages'],
])('X003-1 %s is refused with its place', (_, breakIt, place) => {
  expect(() => parseHistory(breakIt(sample()))).toThrow(place);
});

test('X003-1.3,4 a ring that no way leads to is refused', () => {
  const history = sample();
  const ring = (id: string, other: string) => ({
    ...history.messages['a2'],
    id,
    parent_id: other,
    children_ids: [other],
  });
  const faults = checkHistory(
    parseShape({ ...history, messages: { ...history.messages, x: ring('x', 'y'), y: ring('y', 'x') } }),
  );
  expect(faults).toEqual([
    { place: '/messages/x', message: 'it is not reachable from the root' },
    { place: '/messages/y', message: 'it is not reachable from the root' },
  ]);
});

test('two calls of one message have two ids', () => {
  const broken = withMessage('a1', { tool_calls: [call('c1'), call('c1')] })(sample());
  expect(() => parseHistory(broken)).toThrow(
    '/messages/a1/tool_calls/1/tool_call_id: two calls have the id c1',
  );
});

test('unknown keys of a history are kept', () => {
  fc.assert(
    fc.property(arbitraryHistory(), fc.json(), (history, extra) => {
      const written = { ...history, of_another_program: JSON.parse(extra) };
      expect(parseHistory(written)).toEqual(written);
    }),
  );
});

function parseShape(value: unknown): ConversationHistory {
  return JSON.parse(JSON.stringify(value));
}
