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

test('the status is unknown before the server has sent it', () => {
  expect(standingOf({ lastSeq: 6, ...open }, null)).toEqual({ state: null, end: null, canGoOn: false });
});

test('an event that is newer than the server’s answer shows that the run continues', () => {
  const interrupted = { ...told, state: 'interrupted' } as const;
  const stateAfter = (lastSeq: number) => standingOf({ lastSeq, ...open }, interrupted).state;
  expect([3, 5, 6].map(stateAfter)).toEqual(['interrupted', 'interrupted', 'running']);
});

test('it waits if one of its questions is open', () => {
  const running = { ...told, state: 'running' } as const;
  const answered = { ...asked, answer: { by: 'user', value: 'yes' } } as const;
  const stateWith = (questions: readonly QuestionState[]) =>
    standingOf({ lastSeq: 6, questions, end: null }, running).state;
  expect(stateWith([answered, asked])).toBe('waiting');
  expect(stateWith([answered])).toBe('running');
});

test('the end in its last event counts, whatever the server said before', () => {
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

test('a failed run has no last event: it has ended as the server says, and can be resumed', () => {
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

test('an interrupted run can be resumed, unless it is a turn of a conversation', () => {
  const interrupted = { ...told, state: 'interrupted' } as const;
  expect(standingOf({ lastSeq: 5, ...open }, interrupted).canGoOn).toBe(true);
  expect(standingOf({ lastSeq: 5, ...open }, { ...interrupted, kind: 'turn' }).canGoOn).toBe(false);
});
