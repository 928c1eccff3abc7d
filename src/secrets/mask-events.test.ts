import { expect, test } from 'vitest';
import type { EventBody } from '../events/collab-event.ts';
import { maskEvents } from './mask-events.ts';

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const half = [secret.slice(0, 15), secret.slice(15)] as const;

function masked(...events: readonly EventBody[]): readonly EventBody[] {
  const seen: EventBody[] = [];
  const { emit, finish } = maskEvents((event) => seen.push(event));
  events.forEach(emit);
  finish();
  return seen;
}

test.each<[string, readonly EventBody[]]>([
  [
    'a thought',
    [
      { type: 'thinking.delta', block_id: 'b', text: `It holds ${half[0]}` },
      { type: 'thinking.delta', block_id: 'b', text: `${half[1]}.` },
      { type: 'thinking.end', block_id: 'b' },
    ],
  ],
  [
    'the output of a tool',
    [
      { type: 'tool.output', call_id: 'c', chunk: `TOKEN=${half[0]}` },
      { type: 'tool.output', call_id: 'c', chunk: `${half[1]}\n` },
    ],
  ],
  [
    'the arguments of a call',
    [
      { type: 'tool.input', call_id: 'c', name: 'Bash', delta: `{"command":"echo ${half[0]}` },
      { type: 'tool.input', call_id: 'c', name: 'Bash', delta: `${half[1]}"}` },
      {
        type: 'tool.call',
        call_id: 'c',
        name: 'Bash',
        display_name: 'Bash',
        args: { command: `echo ${secret}` },
        summary: '',
        trigger: 'agent',
      },
    ],
  ],
  [
    'the arguments of a call that the turn did not make',
    [
      { type: 'tool.input', call_id: 'c', name: 'Bash', delta: half[0] },
      { type: 'tool.input', call_id: 'c', name: 'Bash', delta: half[1] },
      { type: 'turn.ended', stop_reason: null, usage: null },
    ],
  ],
  ['a line that nobody understood', [{ type: 'raw', provider: 'codex', line: `{"x":"${secret}"}` }]],
  ['an error', [{ type: 'error', kind: 'auth', message: `no such key: ${secret}`, retryable: false }]],
  ['a plan', [{ type: 'plan.updated', items: [{ text: `use ${secret}`, done: false }] }]],
  [
    'a call with quotation marks around it',
    [
      {
        type: 'tool.call',
        call_id: 'c',
        name: 'Bash',
        display_name: 'Bash',
        args: { command: `echo "${secret}"`, type: secret, more: [{ deep: secret, call_id: secret }] },
        summary: `echo ${secret}`,
        trigger: 'agent',
      },
    ],
  ],
])('a secret in %s is masked, also where two pieces share it', async (_what, events) => {
  const text = JSON.stringify(masked(...events));
  expect(text).not.toContain(half[0]);
  expect(text).not.toContain(half[1]);
});

test('a value is masked because of its key, also in the summary, and a key that is a secret', () => {
  type Call = Extract<EventBody, { type: 'tool.call' }>;
  const call = (args: Call['args'], summary: string): Call => ({
    type: 'tool.call',
    call_id: 'c',
    name: 'login',
    display_name: 'login',
    args,
    summary,
    trigger: 'agent',
  });
  expect(
    masked(
      call({ password: 'Winter-2026!', user: 'shop' }, 'Winter-2026! shop'),
      call({ [secret]: { api_key: 'q7Rw2pLx9vK3', page_token: 'next' } }, ''),
    ),
  ).toEqual([
    call({ password: '*'.repeat(12), user: 'shop' }, `${'*'.repeat(12)} shop`),
    call({ ['*'.repeat(40)]: { api_key: '*'.repeat(12), page_token: 'next' } }, ''),
  ]);
});

test('order, names and unfinished lines are kept', async () => {
  expect(
    masked(
      { type: 'text.start', block_id: 'b', follow_up: false },
      { type: 'text.delta', block_id: 'b', text: 'one\ntw' },
      { type: 'turn.ended', stop_reason: null, usage: null },
    ),
  ).toEqual([
    { type: 'text.start', block_id: 'b', follow_up: false },
    { type: 'text.delta', block_id: 'b', text: 'one\n' },
    { type: 'text.delta', block_id: 'b', text: 'tw' },
    { type: 'turn.ended', stop_reason: null, usage: null },
  ]);
});

test.each<[string, EventBody]>([
  ['a number', { type: 'context', tokens: -1, max: 0 }],
  ['a piece of a stream', JSON.parse('{"type":"text.delta","block_id":"b","text":null}')],
])('an event that a journal could not hold ends what is passed on: %s', (_what, event) => {
  const seen: EventBody[] = [];
  const { emit, finish } = maskEvents((passed) => seen.push(passed));
  const before: EventBody = { type: 'title', title: 'before' };
  for (const each of [before, event, { ...before, title: 'after' }]) emit(each);
  expect(finish).toThrow(/tokens|text/);
  expect(seen).toEqual([before]);
});
