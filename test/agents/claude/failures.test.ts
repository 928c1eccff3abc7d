/** The table of failures in test/agents/traps.md, measured again as turns of the lead. */
import { beforeAll, expect, test } from 'vitest';
import type { LeadAgent, TurnResult } from '../../../src/providers/contract/contract.ts';
import { startMessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder, type MessagesStep } from '../../upstream/messages-steps.ts';
import { startScriptedClaude, lead, sessionOf } from './claude-user.ts';

const { upstream, world } = await startScriptedClaude();
let agent: LeadAgent;

beforeAll(async () => {
  agent = await world.open();
});

/** A result without its texts and its session. */
function essence(result: TurnResult): object {
  const { kind } = result;
  if (kind === 'unavailable') return { kind, code: result.code };
  if (kind === 'timed_out') return { kind, limit: result.limit };
  if (kind === 'overloaded') return { kind, retryAfterMs: result.retryAfterMs };
  return kind === 'cut' ? { kind, uncounted: result.uncounted } : { kind };
}

const unavailable = (code: string) => ({ kind: 'unavailable', code });
const overloaded = { kind: 'overloaded', retryAfterMs: null };
const context = { kind: 'timed_out', limit: 'context' };
const cut = { kind: 'cut', uncounted: false };
const half = 'one half and the other';

type Row = readonly [name: string, step: MessagesStep, essence: object, message: RegExp, requests: number];

const rows: readonly Row[] = [
  ['400', { status: 400 }, unavailable('options'), /400 scripted/, 3],
  [
    '400, too long',
    { status: 400, message: 'prompt is too long: 250000 tokens > 200000 maximum' },
    context,
    /too long/,
    1,
  ],
  [
    '400, no credit',
    { status: 400, message: 'Your credit balance is too low' },
    unavailable('quota'),
    /Credit balance/,
    1,
  ],
  ['401', { status: 401 }, unavailable('auth'), /authenticate|API key/, 1],
  ['402', { status: 402 }, unavailable('quota'), /402/, 1],
  ['403', { status: 403 }, unavailable('auth'), /403/, 1],
  ['404', { status: 404 }, unavailable('model'), /selected model/, 2],
  ['413', { status: 413 }, context, /too large/, 1],
  ['429', { status: 429 }, overloaded, /429/, 1],
  ['429 with retry-after', { status: 429, headers: { 'retry-after': '120' } }, overloaded, /429/, 1],
  ['500', { status: 500 }, overloaded, /500/, 1],
  ['503', { status: 503 }, overloaded, /503/, 1],
  ['529', { status: 529 }, overloaded, /529/, 1],
  ['a stream that is cut', { text: half, cut: true }, cut, /Connection/, 2],
  ['a stream that ends early', { text: half, endEarly: true }, cut, /Connection/, 2],
  [
    'an error in the stream',
    { text: half, streamError: { type: 'overloaded_error', message: 'Overloaded' } },
    overloaded,
    /API Error/,
    2,
  ],
  ['nothing', {}, { kind: 'empty' }, /without a message/, 2],
  ['thinking alone', { thinking: 'hm' }, { kind: 'empty' }, /without a message/, 2],
  ['a refusal', { text: 'No.', stopReason: 'refusal' }, { kind: 'empty' }, /safeguards/, 2],
  [
    'an answer above the limit of output',
    { text: 'long', stopReason: 'max_tokens' },
    context,
    /output token maximum/,
    4,
  ],
  [
    'a full context',
    { text: 'long', stopReason: 'model_context_window_exceeded' },
    context,
    /context window limit/,
    4,
  ],
];

test.each(rows)('%s', async (_name, step, expected, message, requests) => {
  upstream.play(messagesInOrder(step));
  const before = upstream.requests.length;
  const { result, events } = await lead(agent, 'Draft it.');
  expect(essence(result)).toEqual(expected);
  expect('message' in result && result.message).toMatch(message);
  expect(upstream.requests.length - before).toBe(requests);
  expect(events.at(-1)?.type).toBe('turn.ended');
  const isFailure = !('message' in result && result.message.includes('without a message'));
  expect(events.some(({ type }) => type === 'error')).toBe(isFailure);
});

test('a refused connection is overloaded immediately', async () => {
  const gone = await startMessagesUpstream(messagesInOrder({ text: 'x' }));
  await gone.close();
  const lost = await world.open({ settings: { 'claude_code.base_url': gone.url } });
  const { result } = await lead(lost, 'Draft it.');
  expect(essence(result)).toEqual(overloaded);
  expect('message' in result && result.message).toMatch(/Connection refused/);
});

test('a stream that breaks once is retried by Claude itself, and the partial text is its own block', async () => {
  const streamError = { type: 'overloaded_error', message: 'Overloaded' };
  upstream.play(messagesInOrder({ text: half, streamError }, { text: 'The whole.' }));
  const { result, events } = await lead(agent, 'Draft it.');
  expect(result).toMatchObject({ kind: 'answered', text: 'The whole.' });
  expect(events.flatMap((event) => (event.type === 'text.end' ? [event.text] : []))).toEqual([
    'one half an',
    'The whole.',
  ]);
});

test('an unknown session is reported as missing, not started anew', async () => {
  const before = upstream.requests.length;
  const sessionId = '11111111-2222-4333-8444-555555555555';
  const { result } = await lead(agent, 'Go on.', { sessionId });
  expect(result).toMatchObject({ kind: 'cut', sessionId: null, message: expect.stringContaining(sessionId) });
  expect(upstream.requests.length).toBe(before);
});

test('an unknown model costs no more than a refusal', async () => {
  const other = await world.open({ model: 'no-such-model' });
  upstream.play(messagesInOrder({ status: 404, message: 'model: no-such-model' }));
  const { result } = await lead(other, 'Draft it.');
  expect(essence(result)).toEqual(unavailable('model'));
});

test('the session continues after a failure', async () => {
  upstream.play(messagesInOrder({ status: 529 }, { text: 'Here it is.' }));
  const first = await lead(agent, 'Draft it.');
  const again = await lead(agent, 'Draft it.', { sessionId: sessionOf(first) });
  expect(again.result).toMatchObject({ kind: 'answered', text: 'Here it is.' });
});
