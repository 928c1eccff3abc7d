import { expect, test } from 'vitest';
import { classifyFailure, messageOf } from './errors.ts';
import type { WireResult } from './wire.ts';

const ended = (fields: Partial<WireResult>): WireResult => ({
  type: 'result',
  subtype: 'success',
  is_error: true,
  terminal_reason: 'api_error',
  stop_reason: 'stop_sequence',
  ...fields,
});
const apiError = (status: number | null, result: string) => ended({ api_error_status: status, result });
const unavailable = (code: string) => ({ kind: 'unavailable', code });

/** Results of claude 2.1.330, as it wrote them; the last three are from its texts, not observed. */
test.each<[WireResult, object]>([
  [apiError(401, 'Invalid API key · Fix external API key'), unavailable('auth')],
  [apiError(403, 'Failed to authenticate. API Error: 403 nope'), unavailable('auth')],
  [apiError(null, 'Not logged in · Please run /login'), unavailable('auth')],
  [apiError(400, 'API Error: 400 bad thing'), unavailable('options')],
  [apiError(400, 'Credit balance is too low'), unavailable('quota')],
  [apiError(402, 'API Error: 402 no credit'), unavailable('quota')],
  [apiError(404, "There's an issue with the selected model (x). It may not exist"), unavailable('model')],
  [apiError(413, 'Request too large (max 32MB).'), { kind: 'context' }],
  [
    ended({ api_error_status: 400, terminal_reason: 'prompt_too_long', result: 'Prompt is too long' }),
    { kind: 'context' },
  ],
  [apiError(429, 'API Error: Request rejected (429) · x'), { kind: 'overloaded' }],
  [apiError(500, 'API Error: 500 x. This is a server-side issue'), { kind: 'overloaded' }],
  [apiError(529, 'API Error: 529 x'), { kind: 'overloaded' }],
  [
    apiError(null, 'API Error: Connection refused — a firewall may be blocking it'),
    { kind: 'overloaded', unreachable: true },
  ],
  [apiError(null, 'Request timed out. Check your connection'), { kind: 'overloaded' }],
  [apiError(null, 'API Error: Connection dropped (ECONNRESET).'), { kind: 'cut' }],
  [apiError(null, "Claude's response exceeded the 128000 output token maximum."), { kind: 'context' }],
  [apiError(null, 'The model has reached its context window limit.'), { kind: 'context' }],
  [ended({ stop_reason: 'refusal', result: 'safeguards flagged this message' }), { kind: 'refused' }],
  [
    ended({ subtype: 'error_max_turns', errors: ['Reached maximum number of turns (2)'] }),
    { kind: 'too_much' },
  ],
  [ended({ subtype: 'error_max_budget_usd' }), unavailable('quota')],
  [
    ended({ subtype: 'error_during_execution', errors: ['No conversation found with session ID: x'] }),
    { kind: 'gone' },
  ],
  [ended({ subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' }), { kind: 'cut' }],
  [apiError(null, 'Something that no version has said before'), unavailable('options')],
  [apiError(429, "You've hit your session limit · resets 3pm"), unavailable('quota')],
  [apiError(429, 'Claude usage limit reached. Your limit will reset at 3pm'), unavailable('quota')],
  [apiError(401, 'OAuth token has expired. Please run /login'), unavailable('auth')],
])('%o', (result, failure) => {
  expect(classifyFailure(result)).toEqual(failure);
});

test('a message is one line, and never empty', () => {
  expect(messageOf(ended({ result: 'two\nlines  here' }))).toBe('two lines here');
  expect(messageOf(ended({ subtype: 'error_max_turns', terminal_reason: 'max_turns' }))).toBe('max_turns');
  expect(messageOf(ended({ errors: ['one'], result: 'x'.repeat(900) }))).toHaveLength(500);
});
