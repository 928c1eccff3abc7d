import { expect, test } from 'vitest';
import type { QuestionState } from '../run-state.ts';
import { standingOf } from './standing-of.ts';

const asked: QuestionState = {
  name: 'gate',
  kind: 'gate',
  text: 'Go on?',
  schema: {},
  askedAt: '2026-11-21T09:30:00.000000Z',
  phase: null,
  answer: null,
};

test('an event that came after the word of the server shows that the run goes on', () => {
  const told = { last_seq: 5, state: 'interrupted' } as const;
  expect(standingOf({ lastSeq: 5, questions: [] }, told)).toBe('interrupted');
  expect(standingOf({ lastSeq: 3, questions: [] }, told)).toBe('interrupted');
  expect(standingOf({ lastSeq: 6, questions: [] }, told)).toBe('running');
});

test('it waits where one of its questions is open', () => {
  const told = { last_seq: 5, state: 'running' } as const;
  const answered = { ...asked, answer: { by: 'user', value: 'yes' } } as const;
  expect(standingOf({ lastSeq: 6, questions: [answered, asked] }, told)).toBe('waiting');
  expect(standingOf({ lastSeq: 6, questions: [answered] }, told)).toBe('running');
});
