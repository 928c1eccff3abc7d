import { expect, test } from 'vitest';
import { z } from 'zod';
import { uncheckedPlaces } from '../../test/fixtures/unchecked-places.ts';
import {
  fetchConversation,
  readAgents,
  readBranches,
  readConversations,
  readDismissalList,
  readRun,
  readRuns,
  readSession,
  readStarted,
} from './read-lists.ts';

const conversation = { conversation_id: 'c', updated_at: 't', can_continue: true };
const run = { run_id: 'r', kind: 'review', state: 'ended' };
const context = { usage_percent: 1, warning_level: 'none' };

test.each<[string, (value: unknown) => unknown, object]>([
  ['conversations', readConversations, { conversations: [conversation] }],
  ['a conversation', fetchConversation, { ...conversation, messages: [], runs: [run], context }],
  ['runs', readRuns, { runs: [run] }],
  ['a run', readRun, { ...run, questions: [], last_seq: 1 }],
  ['a new run', readStarted, { run_id: 'r' }],
  ['agents', readAgents, { agents: [{ provider: 'codex', roles: [], ready: true }] }],
  ['branches', readBranches, { branches: ['main'], more: false }],
  ['dismissals', readDismissalList, { dismissals: [{ finding: 'F1', reason: 'known' }], open: ['F2'] }],
  ['a session', readSession, { tenant: 't', version: '1' }],
])('an answer with %s has each field that a reader relies on', (_what, read, value) => {
  expect(uncheckedPlaces(readable(read), value)).toEqual([]);
  for (const other of [null, [], 'text', {}]) expect(() => read(other)).toThrow('the server');
});

test('a list of conversations has more if it names the next page', () => {
  const conversations = [conversation];
  expect(readConversations({ conversations, next: 'c' })).toEqual({ conversations, hasMore: true });
  expect(readConversations({ conversations, next: null })).toEqual({ conversations, hasMore: false });
});

test('a conversation may have no context', () => {
  const value = { ...conversation, messages: [], runs: [], context: null };
  expect(fetchConversation(value)).toEqual(value);
});

test('only the result of a review is the result of a run', () => {
  const review = { schema: 'collab.review/v1' };
  expect([resultOf(review), resultOf({ schema: 'other' }), resultOf('text'), resultOf(undefined)]).toEqual([
    review,
    null,
    null,
    null,
  ]);
});

function readable(read: (value: unknown) => unknown): z.ZodType {
  return z.custom((value) => {
    try {
      read(value);
      return true;
    } catch {
      return false;
    }
  });
}

function resultOf(result: unknown) {
  return readRun({ ...run, questions: [], last_seq: 1, result }).result;
}
