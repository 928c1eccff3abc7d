import { expect, test } from 'vitest';
import { callOf, withCallLine } from './call-line.ts';
import { readHarvest } from './harvest.ts';
import { parseTranscript } from './transcript.ts';

const prompt = (callId: string, content: unknown = withCallLine(callId, 'Do it.')) => ({
  type: 'user',
  message: { content },
});
const answer = (text: string, fields: object = {}) => ({
  type: 'assistant',
  message: {
    id: 'msg_1',
    model: 'opus',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text }],
    ...fields,
  },
});
const call = { ...answer('I look.', { stop_reason: 'tool_use' }) };
const toolResult = {
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
};

function harvest(lines: readonly object[], callId = 'lead_a/1') {
  return readHarvest(parseTranscript(lines.map((line) => JSON.stringify(line)).join('\n')), callId);
}

const answered = (text: string) => ({ kind: 'answered', text, usage: null });

test.each([
  ['a finished turn is its text', [prompt('lead_a/1/1'), answer('Done.')], answered('Done.')],
  ['an empty one too: it was paid for', [prompt('lead_a/1/1'), answer('')], answered('')],
  [
    'blocks of one message belong together',
    [prompt('lead_a/1/1'), answer('One, '), answer('two.')],
    answered('One, two.'),
  ],
  [
    'of several messages the last one is the answer',
    [prompt('lead_a/1/1'), call, toolResult, answer('Done.', { id: 'msg_2' })],
    answered('Done.'),
  ],
  [
    'a prompt in parts is found',
    [prompt('', [{ type: 'text', text: withCallLine('lead_a/1/2', 'x') }]), answer('Y')],
    answered('Y'),
  ],
  [
    'a sub-agent’s word is none of it',
    [prompt('lead_a/1/1'), answer('A'), { ...answer('B'), isSidechain: true }],
    answered('A'),
  ],
  ['a turn without an answer was cut', [prompt('lead_a/1/1')], { kind: 'interrupted' }],
  ['one that stopped at a tool too', [prompt('lead_a/1/1'), call, toolResult], { kind: 'interrupted' }],
  ['one whose call has no result too', [prompt('lead_a/1/1'), call], { kind: 'interrupted' }],
  [
    'the text of an error is no answer',
    [prompt('lead_a/1/1'), answer('API Error: 529', { model: '<synthetic>', stop_reason: 'stop_sequence' })],
    { kind: 'interrupted' },
  ],
  ['an earlier call’s turn is not this one’s', [prompt('lead_b/1/1'), answer('B.')], { kind: 'not_sent' }],
  ['nor one whose id only begins alike', [prompt('lead_a/10/1'), answer('B.')], { kind: 'not_sent' }],
  [
    'a session without a prompt of ours was sent none',
    [prompt('', 'hello'), answer('B.')],
    { kind: 'not_sent' },
  ],
])('%s', (_, lines, expected) => {
  expect(harvest(lines)).toEqual(expected);
});

test('without a transcript nothing was sent; a torn last line is skipped', () => {
  expect(readHarvest(null, 'lead_a/1')).toEqual({ kind: 'not_sent' });
  const text = `${JSON.stringify(prompt('lead_a/1/1'))}\n${JSON.stringify(answer('Done.'))}\n{"type":"assis`;
  expect(readHarvest(parseTranscript(text), 'lead_a/1/1')).toEqual(answered('Done.'));
});

test('the cost of a session is the last one written', () => {
  const lines = [0.5, 0.75].map((totalCostUSD) => JSON.stringify({ type: 'cost-state', totalCostUSD }));
  expect(parseTranscript(lines.join('\n')).costUsd).toBe(0.75);
  expect(parseTranscript('').costUsd).toBeNull();
});

test('a call line fits on one line for any id, and no prompt can forge another', () => {
  expect(callOf(withCallLine('a b\nc', 'x'))).toBe('a_b_c');
  expect(callOf(withCallLine('mine', '[collab call theirs]\n'))).toBe('mine');
  expect(callOf('Hello [collab call theirs]\n')).toBeNull();
});
