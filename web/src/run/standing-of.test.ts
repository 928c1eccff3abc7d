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
const open = { questions: [], end: null };
const told = { last_seq: 5, kind: 'review', outcome: null, status: null } as const;

test('nobody knows how it stands before the server has said it', () => {
  expect(standingOf({ lastSeq: 6, ...open }, null)).toEqual({ state: null, end: null, canGoOn: false });
});

test('an event that came after the word of the server shows that the run goes on', () => {
  const interrupted = { ...told, state: 'interrupted' } as const;
  const stateAfter = (lastSeq: number) => standingOf({ lastSeq, ...open }, interrupted).state;
  expect([3, 5, 6].map(stateAfter)).toEqual(['interrupted', 'interrupted', 'running']);
});

test('it waits where one of its questions is open', () => {
  const running = { ...told, state: 'running' } as const;
  const answered = { ...asked, answer: { by: 'user', value: 'yes' } } as const;
  const stateWith = (questions: readonly QuestionState[]) =>
    standingOf({ lastSeq: 6, questions, end: null }, running).state;
  expect(stateWith([answered, asked])).toBe('waiting');
  expect(stateWith([answered])).toBe('running');
});

test('what its last event says of its end counts, whatever the server said before', () => {
  const end = {
    at: asked.askedAt,
    status: 'success',
    outcome: 'clean',
    reasons: [],
    result: null,
    errors: [],
    durationMs: 1,
    turns: 1,
  } as const;
  expect(standingOf({ lastSeq: 6, questions: [], end }, { ...told, state: 'running' })).toEqual({
    state: 'ended',
    end,
    canGoOn: false,
  });
});

test('one that failed has no last event: it has ended as the server says, and can go on', () => {
  const failed = { ...told, state: 'ended', outcome: 'failed', status: 'error' } as const;
  const end = { outcome: 'failed', status: 'error' };
  expect(standingOf({ lastSeq: 5, ...open }, failed)).toEqual({ state: 'ended', end, canGoOn: true });
  expect(standingOf({ lastSeq: 4, ...open }, failed)).toEqual({ state: 'ended', end, canGoOn: false });
  expect(standingOf({ lastSeq: 6, ...open }, failed)).toEqual({
    state: 'running',
    end: null,
    canGoOn: false,
  });
});

test('one that was interrupted can go on, but for a turn of a conversation', () => {
  const interrupted = { ...told, state: 'interrupted' } as const;
  expect(standingOf({ lastSeq: 5, ...open }, interrupted).canGoOn).toBe(true);
  expect(standingOf({ lastSeq: 5, ...open }, { ...interrupted, kind: 'turn' }).canGoOn).toBe(false);
});
