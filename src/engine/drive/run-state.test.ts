import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import { recall } from './run-state.ts';

const begun = (attempt: number): EventBody => ({
  type: 'step.begun',
  step: 'ask',
  attempt,
  input_digest: 'd',
});
const bound = (session_id: string): EventBody => ({ type: 'step.bound', step: 'ask', session_id });
const lost = (attempt: number): EventBody => ({ type: 'step.abandoned', step: 'ask', attempt });
const refused = (attempt: number): EventBody => ({
  type: 'step.abandoned',
  step: 'ask',
  attempt,
  reason: 'refused',
});

function lostSession(...bodies: readonly EventBody[]): string | null | undefined {
  return recall(journalRecords(bodies)).steps.get('ask')?.lostSessionId;
}

test('the next attempt looks up the session of a lost call', () => {
  expect(lostSession(begun(1), bound('s1'), lost(1))).toBe('s1');
});

test('the end of a step that never began is no step', () => {
  expect(recall(journalRecords([lost(1), bound('s1')])).steps.size).toBe(0);
  const ended = journalRecords([{ type: 'step.ended', step: 'ask', attempt: 1, value: null }]);
  expect(recall(ended).steps.size).toBe(0);
});

test('a refused call does not count as lost', () => {
  expect(lostSession(begun(1), bound('s1'), refused(1))).toBeNull();
});

test('a refusal does not hide the earlier lost call, which was paid for', () => {
  expect(lostSession(begun(1), bound('s1'), lost(1), begun(2), refused(2))).toBe('s1');
  expect(lostSession(begun(1), bound('s1'), lost(1), begun(2), bound('s2'), refused(2))).toBe('s1');
});
