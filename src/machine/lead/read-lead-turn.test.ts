import { expect, test } from 'vitest';
import { stoppedAtLimit } from '../../parsers/markdown/answer-size.ts';
import { readLeadTurn, type LeadTurnReading } from './read-lead-turn.ts';
import type { TurnOutcome } from '../exchange/read-turn.ts';

const budgets = { waiting: 2 };
const spent = { waiting: 1, repeating: 0 };
const repeated = { waiting: 1, repeating: 1 };
const waited = { waiting: 2, repeating: 0 };

const answered: TurnOutcome = {
  kind: 'answered',
  text: ' Done.\n',
  sessionId: 'session-1',
  usage: null,
  stopReason: null,
};
const overloaded: TurnOutcome = { kind: 'overloaded', message: '529', retryAfterMs: 40, sessionId: null };
const refusedConnection: TurnOutcome = { ...overloaded, retryAfterMs: null, unreachable: true };
const cut: TurnOutcome = { kind: 'cut', message: 'gone', sessionId: null, uncounted: false };
const silent: TurnOutcome = { kind: 'timed_out', limit: 'idle', message: 'silence', sessionId: null };
const empty: TurnOutcome = { kind: 'empty', message: 'no text', sessionId: null };

function reading(fields: Partial<LeadTurnReading>): LeadTurnReading {
  return { action: 'exhausted', text: null, failure: null, retryAfterMs: null, spent, ...fields };
}

test('a text is returned unchanged', () => {
  expect(readLeadTurn(answered, spent, budgets)).toEqual(reading({ action: 'answered', text: ' Done.\n' }));
});

test.each([
  ['blanks', { ...answered, text: ' \n' }, 'protocol', 'the lead returned no text', 'exhausted'],
  ['nothing', empty, 'protocol', 'no text', 'exhausted'],
  ['a cut turn', cut, 'died', 'gone', 'unavailable'],
  ['silence', silent, 'time', 'silence', 'exhausted'],
  ['no byte', { ...silent, limit: 'first_byte' }, 'silent', 'silence', 'exhausted'],
] as const)('%s is asked for once more, then given up', (_, outcome, cause, detail, action) => {
  const failure = { cause, detail, hint: null };
  expect(readLeadTurn(outcome, spent, budgets)).toEqual(
    reading({ action: 'repeating', failure, spent: repeated }),
  );
  expect(readLeadTurn(outcome, repeated, budgets)).toEqual(reading({ action, failure, spent: repeated }));
});

test.each(['max_tokens', 'length', 'model_context_window_exceeded'])(
  'an answer cut by %s is asked for once more, then given up, whatever it says',
  (stopReason) => {
    const failure = {
      cause: 'protocol',
      detail: "the lead's answer was cut at its length limit",
      hint: null,
    } as const;
    const cutShort = { ...answered, text: '[REQUEST:DESIGN]\n\nThe draft', stopReason };
    expect(readLeadTurn(cutShort, spent, budgets)).toEqual(
      reading({ action: 'repeating', failure, spent: repeated, tooLong: true }),
    );
    expect(readLeadTurn(cutShort, repeated, budgets)).toEqual(
      reading({ action: 'exhausted', failure, spent: repeated, tooLong: true }),
    );
  },
);

test('a turn that we ended ourselves is repeated without using the budget, however often', () => {
  expect(readLeadTurn({ ...cut, uncounted: true }, repeated, budgets)).toEqual(
    reading({ action: 'repeating', spent: repeated }),
  );
});

test('an overloaded lead is waited for as often as the budget allows', () => {
  const failure = { cause: 'overloaded', detail: '529', hint: null } as const;
  expect(readLeadTurn(overloaded, spent, budgets)).toEqual(
    reading({ action: 'waiting', failure, retryAfterMs: 40, spent: waited }),
  );
  expect(readLeadTurn(overloaded, waited, budgets)).toEqual(
    reading({ action: 'unavailable', failure, retryAfterMs: 40, spent: waited }),
  );
});

test('a lead that reached no server is waited for under its own cause', () => {
  expect(readLeadTurn(refusedConnection, spent, budgets)).toMatchObject({
    action: 'waiting',
    failure: { cause: 'unreachable', detail: '529' },
    spent: waited,
  });
});

test('a context that is too long is not requested again', () => {
  expect(readLeadTurn({ ...silent, limit: 'context' }, spent, budgets)).toEqual(
    reading({ failure: { cause: 'context', detail: 'silence', hint: null } }),
  );
});

test('a refused call ends the request with its cause', () => {
  const refused: TurnOutcome = { kind: 'refused', cause: 'budget', message: 'spent', made: false };
  expect(readLeadTurn(refused, spent, budgets)).toEqual(
    reading({ failure: { cause: 'budget', detail: 'spent', hint: null } }),
  );
});

test.each([
  ['claude /login', 'claude /login'],
  ['', null],
])('a lead that cannot be had ends it, with the hint %j as %j', (said, hint) => {
  const unavailable: TurnOutcome = { kind: 'unavailable', code: 'auth', message: 'log in', hint: said };
  expect(readLeadTurn(unavailable, spent, budgets)).toEqual(
    reading({ action: 'unavailable', failure: { cause: 'auth', detail: 'log in', hint } }),
  );
});

test.each([
  [
    'grows beyond the limit',
    { ...answered, stopReason: stoppedAtLimit },
    /was stopped: it grew beyond 256 KiB$/,
  ],
  ['has too many lines', { ...answered, text: '\n'.repeat(10_001) + 'a' }, /10000 is the limit$/],
] as const)('an answer that %s is not read, and not asked for again', (_what, outcome, detail) => {
  const failure = { cause: 'protocol' as const, detail: expect.stringMatching(detail), hint: null };
  expect(readLeadTurn(outcome, spent, budgets)).toEqual(reading({ action: 'exhausted', failure }));
});
