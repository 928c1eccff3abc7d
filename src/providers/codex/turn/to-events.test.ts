import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { EventBody } from '../../../events/collab-event.ts';
import type { Notification } from './rpc.ts';
import { createCodexEvents, usageOf, type CodexEvents } from './to-events.ts';
import { readNotification } from './wire.ts';

/** A turn in the shape of codex app-server 0.169: two commands, a remark, an answer. All values are made up. */
const recorded = readFileSync(
  resolve(import.meta.dirname, '../../../../test/fixtures/codex/turn-with-commands.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line): Notification => ({ ...JSON.parse(line), line }));

function eventsOf(notifications: readonly Notification[], stopReason = 'completed'): readonly EventBody[] {
  const events = createCodexEvents('gpt-5.5');
  return [...notifications.flatMap((notification) => taken(events, notification)), ...events.end(stopReason)];
}

function taken(events: CodexEvents, notification: Notification): readonly EventBody[] {
  const read = readNotification(notification.method, notification.params);
  return read === null ? events.unread(notification) : events.take(read);
}

function note(method: string, params: object): Notification {
  const message = { method, params: { threadId: 't', turnId: 'u', ...params } };
  return { ...message, line: JSON.stringify(message) };
}

const inTurn = (...notifications: readonly Notification[]) => eventsOf(notifications).slice(0, -1);

const commandCall = (id: string, text: string) => [
  {
    type: 'tool.call',
    call_id: id,
    name: 'Bash',
    display_name: 'Bash',
    args: { command: text },
    summary: text,
    trigger: 'agent',
  },
  { type: 'tool.status', call_id: id, status: 'running', message: '' },
];
const commandResult = (id: string, status: string, content: string, exit_code: number) => [
  { type: 'tool.status', call_id: id, status, message: '' },
  {
    type: 'tool.result',
    call_id: id,
    name: 'Bash',
    content,
    is_error: exit_code !== 0,
    exit_code,
    duration_ms: expect.any(Number),
  },
];
const textBlock = (id: string, follow_up: boolean, ...deltas: readonly string[]) => [
  { type: 'text.start', block_id: id, follow_up },
  ...deltas.map((delta) => ({ type: 'text.delta', block_id: id, text: delta })),
  { type: 'text.end', block_id: id, text: deltas.join('') },
];

test('a turn with two commands is reported whole', () => {
  const usage = usageOf(
    { inputTokens: 100, cachedInputTokens: 10, outputTokens: 20, reasoningOutputTokens: 5 },
    'gpt-5.5',
  );
  const counted = [
    { type: 'usage', ...usage },
    { type: 'context', tokens: 120, max: 258_400 },
  ];
  expect(eventsOf(recorded)).toEqual([
    { type: 'turn.started' },
    { type: 'thinking.delta', block_id: 'rs_0', text: '**Reading** the file' },
    { type: 'thinking.end', block_id: 'rs_0' },
    ...commandCall('call_0_0', "/bin/bash -c 'cat /review/a.txt; sleep 0.3; exit 3'"),
    ...commandResult('call_0_0', 'error', 'hello file\n', 3),
    ...counted,
    ...textBlock('msg_1', false, 'I have ', 'looked.'),
    ...commandCall('call_1_0', "/bin/bash -c 'echo fine; sleep 0.3'"),
    ...commandResult('call_1_0', 'completed', 'fine\n', 0),
    ...counted,
    ...textBlock('msg_2', true, '## OVERVIEW\n', 'It is right.'),
    ...counted,
    {
      type: 'turn.ended',
      stop_reason: 'completed',
      usage: { ...usage, input: 270, output: 60, cache_read: 30, reasoning: 15 },
    },
  ]);
});

test('XB-2.1 XB-3 wherever the stream is cut, every call has one result and every block its own text', () => {
  fc.assert(
    fc.property(fc.nat(recorded.length), (cut) => {
      const events = eventsOf(recorded.slice(0, cut), 'error');
      const ids = (type: EventBody['type']) =>
        events.flatMap((event) => (event.type === type && 'call_id' in event ? [event.call_id] : []));
      expect(ids('tool.result')).toEqual(ids('tool.call'));
      for (const end of events.filter((event) => event.type === 'text.end')) {
        const deltas = events.flatMap((event) =>
          event.type === 'text.delta' && event.block_id === end.block_id ? [event.text] : [],
        );
        expect(end.text).toBe(deltas.join(''));
      }
      expect(ids('tool.call')).toHaveLength(new Set(ids('tool.call')).size);
    }),
  );
});

describe('single notifications', () => {
  test('a message without deltas is one delta', () => {
    const item = { type: 'agentMessage', id: 'm', text: 'all at once' };
    expect(inTurn(note('item/completed', { item }))).toEqual([
      { type: 'text.start', block_id: 'm', follow_up: false },
      { type: 'text.delta', block_id: 'm', text: 'all at once' },
      { type: 'text.end', block_id: 'm', text: 'all at once' },
    ]);
  });

  test('a whole text that contradicts its deltas is a separate block', () => {
    const events = inTurn(
      note('item/agentMessage/delta', { itemId: 'm', delta: 'draft' }),
      note('item/completed', { item: { type: 'agentMessage', id: 'm', text: 'final' } }),
    );
    expect(events.filter(({ type }) => type === 'text.end')).toEqual([
      { type: 'text.end', block_id: 'm', text: 'draft' },
      { type: 'text.end', block_id: 'm-whole', text: 'final' },
    ]);
  });

  test('a patch lists the changed files, a failed one lists none', () => {
    const changes = [
      { path: 'a.ts', kind: { type: 'add' }, diff: '+1' },
      { path: 'b.ts', kind: { type: 'update', move_path: null } },
    ];
    const patch = (status: string) =>
      inTurn(note('item/completed', { item: { type: 'fileChange', id: 'p', status, changes } }));
    expect(patch('completed').filter(({ type }) => type === 'file.changed')).toEqual([
      { type: 'file.changed', path: 'a.ts', kind: 'add', diff: '+1' },
      { type: 'file.changed', path: 'b.ts', kind: 'update' },
    ]);
    expect(patch('failed').map(({ type }) => type)).toEqual([
      'tool.call',
      'tool.status',
      'tool.status',
      'tool.result',
    ]);
  });

  test.each([
    [
      { type: 'mcpToolCall', server: 's', tool: 't', arguments: { x: 1 }, result: 'ok', durationMs: 2.6 },
      { name: 'mcp__s__t', args: { x: 1 }, content: 'ok', is_error: false, duration_ms: 3 },
    ],
    [
      {
        type: 'mcpToolCall',
        server: 's',
        tool: 't',
        arguments: null,
        status: 'failed',
        error: { message: 'no' },
      },
      { name: 'mcp__s__t', args: { arguments: null }, content: 'no', is_error: true, duration_ms: 0 },
    ],
    [
      {
        type: 'dynamicToolCall',
        tool: 'find',
        arguments: [1],
        contentItems: [{ text: 'x' }],
        success: false,
      },
      { name: 'find', args: { arguments: [1] }, content: '[{"text":"x"}]', is_error: true, duration_ms: 0 },
    ],
    [
      { type: 'webSearch', query: 'q' },
      { name: 'WebSearch', args: { query: 'q' }, content: '', is_error: false, duration_ms: 0 },
    ],
    [
      { type: 'imageView', path: '/p' },
      { name: 'ViewImage', args: { path: '/p' }, content: '', is_error: false, duration_ms: 0 },
    ],
  ])('the tool %o is a call and its result', (item, { name, args, ...outcome }) => {
    const events = inTurn(note('item/completed', { item: { id: 'i', ...item } }));
    expect(events[0]).toMatchObject({ type: 'tool.call', call_id: 'i', name, args });
    expect(events.at(-1)).toEqual({ type: 'tool.result', call_id: 'i', name, ...outcome });
  });

  test('plans, partial output and retries are reported; unknown messages are kept as raw', () => {
    const unknown = note('item/started', { item: { type: 'novelty', id: 'n' } });
    const error = { message: 'Reconnecting... 1/5', additionalDetails: 'why' };
    expect(
      inTurn(
        note('turn/plan/updated', {
          plan: [
            { step: 'look', status: 'completed' },
            { step: 'say', status: 'pending' },
          ],
        }),
        note('item/commandExecution/outputDelta', { itemId: 'c', delta: 'out' }),
        note('error', { error, willRetry: true }),
        note('error', { error, willRetry: false }),
        note('thread/status/changed', {}),
        unknown,
      ),
    ).toEqual([
      {
        type: 'plan.updated',
        items: [
          { text: 'look', done: true },
          { text: 'say', done: false },
        ],
      },
      { type: 'tool.output', call_id: 'c', chunk: 'out' },
      { type: 'error', kind: 'network', message: 'why', retryable: true },
      { type: 'raw', provider: 'codex', line: unknown.line },
    ]);
  });
});

test.each([
  ['texts', (id: string) => note('item/started', { item: { type: 'agentMessage', id, text: '' } })],
  [
    'commands',
    (id: string) =>
      note('item/started', {
        item: { type: 'commandExecution', id, command: 'ls', cwd: '/', status: 'inProgress' },
      }),
  ],
  ['thoughts', (id: string) => note('item/reasoning/summaryTextDelta', { itemId: id, delta: 'a' })],
])('ten thousand open %s are each entered once', (_what, open) => {
  const notes = Array.from({ length: 10_000 }, (_, index) => open(`i${index}`));
  const events = createCodexEvents('gpt-5.5');
  const entered = [vi.spyOn(Map.prototype, 'set'), vi.spyOn(Set.prototype, 'add')];
  for (const notification of notes) taken(events, notification);
  const count = entered.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  for (const spy of entered) spy.mockRestore();
  expect(count).toBeLessThan(10 * notes.length);
  expect(events.end('completed')).toHaveLength(notes.length + 1);
});
