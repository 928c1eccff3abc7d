/** Checks specification 002's table of events against streams in which every one occurs. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  answered,
  called,
  ended,
  eventStream,
  said,
  started,
  used,
} from '../../../test/fixtures/screens/event-streams.ts';
import type { EventBody } from '../../events/collab-event.ts';
import type { StreamingEvent } from './event.ts';
import { isDoneEvent, isProgressEvent, isToolCallEvent } from './guards.ts';
import { pingEvent } from './frame.ts';
import { projectToStreaming } from './projection.ts';

const thought: EventBody = { type: 'thinking.delta', block_id: 't', text: ' hm\n' };
const turnEnded: EventBody = { type: 'turn.ended', stop_reason: 'end_turn', usage: null };
const cached = { ...used(1000, 500, 0.0075), cache_read: 3, cache_write_5m: 20, cache_write_1h: 100 };

const whole = projectToStreaming(
  eventStream([
    started(),
    { type: 'turn.started' },
    thought,
    ...said(' so '),
    called('r', 'Read', { file_path: '/path/to/file.py' }),
    answered('r', 'Read', 'content'),
    called('task', 'Task', { description: 'look' }),
    { type: 'agent.started', agent_id: 'task', agent_type: 'Explore', description: 'look' },
    { body: thought, parentAgentId: 'task' },
    ...said('found').map((body) => ({ body, parentAgentId: 'task' })),
    { body: called('g', 'Grep', { pattern: 'function' }), parentAgentId: 'task' },
    { body: answered('g', 'Grep', 'no', true), parentAgentId: 'task' },
    answered('task', 'Task', 'found'),
    { type: 'agent.ended', agent_id: 'task', status: 'completed' },
    cached,
    turnEnded,
    { type: 'title', title: 'a title' },
    { type: 'context', tokens: 69, max: 100 },
    ended(),
  ]),
);
const failed = projectToStreaming(
  eventStream([
    started(),
    { type: 'error', kind: 'timeout', message: 'too slow', retryable: false },
    ended(1, 'error'),
  ]),
);
const cancelled = projectToStreaming(eventStream([started(), ended(1, 'cancelled')]));
const ping = pingEvent('2026-11-21T09:30:15.000000Z', 15_000);
const all: readonly StreamingEvent[] = [...whole, ...failed, ...cancelled, ping];

const base = { seq: z.int().positive(), timestamp: z.string() };
const speaker = { parent_agent_id: z.string().optional() };
const status = z.enum(['completed', 'error']);
const tokens = z.int().nonnegative();
const usd = z.string().regex(/^\d+(?:\.\d+)?$/);

test.each([
  [
    'R002-11.1,2 init',
    {
      session_id: z.string(),
      tools: z.array(z.string()),
      model: z.string(),
      conversation_id: z.string().optional(),
    },
  ],
  ['R002-12.1,2 thinking', { content: z.string(), ...speaker }],
  [
    'R002-13.1-3 assistant',
    { content_blocks: z.array(z.strictObject({ type: z.literal('text'), text: z.string() })), ...speaker },
  ],
  [
    'R002-14.1,2 tool_call',
    {
      tool_use_id: z.string(),
      tool_name: z.string(),
      input: z.record(z.string(), z.unknown()),
      summary: z.string(),
      ...speaker,
    },
  ],
  [
    'R002-15.1,2 tool_result',
    {
      tool_use_id: z.string(),
      tool_name: z.string(),
      status,
      content: z.string(),
      is_error: z.boolean(),
      ...speaker,
    },
  ],
  [
    'R002-16.1,2 subagent_start',
    { agent_id: z.string(), agent_type: z.string(), description: z.string(), model: z.string().optional() },
  ],
  [
    'R002-17.1,2 subagent_end',
    { agent_id: z.string(), agent_type: z.string(), status, result_preview: z.string().optional() },
  ],
  [
    'R002-18.1,2 progress',
    {
      type: z.enum(['thinking', 'generating', 'tool']),
      message: z.string(),
      tool_use_id: z.string().optional(),
      tool_name: z.string().optional(),
      tool_status: z.enum(['pending', 'running', 'completed', 'error']).optional(),
      ...speaker,
    },
  ],
  ['R002-19.1 title', { title: z.string() }],
  ['R002-20.1,2 ping', { elapsed_ms: z.int(), seq: z.literal(0) }],
  [
    'R002-21.1,2 context_status',
    {
      current_context_tokens: tokens,
      max_context_tokens: tokens,
      usage_percent: z.number(),
      warning_level: z.enum(['normal', 'warning', 'critical', 'blocked']),
      can_continue: z.boolean(),
      message: z.string().optional(),
      recommended_action: z.literal('new_chat').nullable(),
    },
  ],
  [
    'R002-22.1,2 R002-35.1 R002-36 done',
    {
      status: z.enum(['success', 'error', 'cancelled']),
      result: z.string().nullable(),
      is_error: z.boolean(),
      errors: z.array(z.string()).nullable(),
      usage: z.strictObject({
        input_tokens: tokens,
        output_tokens: tokens,
        cache_creation_5m_tokens: tokens,
        cache_creation_1h_tokens: tokens,
        cache_read_tokens: tokens,
        total_tokens: tokens,
      }),
      cost_usd: usd,
      turn_count: z.int().nonnegative(),
      duration_ms: z.int().nonnegative(),
      session_id: z.string().optional(),
      messages: z.array(z.unknown()).optional(),
      model_usage: z.record(
        z.string(),
        z.strictObject({
          input_tokens: tokens,
          output_tokens: tokens,
          cache_creation_5m_input_tokens: tokens,
          cache_creation_1h_input_tokens: tokens,
          cache_read_input_tokens: tokens,
          cost_usd: usd,
        }),
      ),
    },
  ],
  [
    'R002-23.1 error',
    { error_type: z.literal('timeout_error'), message: z.string(), recoverable: z.boolean() },
  ],
])('%s has the fields of the table, and no other', (title, fields) => {
  const name = title.split(' ').at(-1);
  const found = all.filter(({ event }) => event === name);
  expect(found).not.toEqual([]);
  const schema = z.strictObject({ ...base, ...fields });
  expect(found.flatMap(({ data }) => schema.safeParse(data).error?.issues ?? [])).toEqual([]);
});

test('R002-12.3 R002-13.4 R002-24 tells to the letter what is thought and said; what a sub-agent does names it', () => {
  const told = whole.flatMap(({ event, data }) => {
    if (event === 'thinking') return [['parent_agent_id' in data, data.content]];
    return event === 'assistant' ? [['parent_agent_id' in data, data.content_blocks[0]?.text]] : [];
  });
  expect(told).toEqual([
    [false, ' hm\n'],
    [false, ' so '],
    [true, ' hm\n'],
    [true, 'found'],
  ]);
});

test('R002-26 says what goes on in the words of the specification', () => {
  expect(whole.filter(isProgressEvent).map(({ data }) => data.message)).toEqual(
    expect.arrayContaining(['思考中...', 'レスポンスを生成中...', 'Readを実行中...']),
  );
  expect(whole.filter(isToolCallEvent).map(({ data }) => data.summary)).toEqual([
    'ファイルを読み取り: file.py',
    'サブエージェントを開始: look',
    'パターン検索: function',
  ]);
});

test('R002-35.2 R002-36 the total is input and output; what a cache held stands beside it, by model too', () => {
  const [done] = whole.filter(isDoneEvent);
  expect(done?.data).toMatchObject({
    usage: {
      input_tokens: 1000,
      output_tokens: 500,
      cache_creation_5m_tokens: 20,
      cache_creation_1h_tokens: 100,
      cache_read_tokens: 3,
      total_tokens: 1500,
    },
    cost_usd: '0.0075',
    model_usage: {
      'claude-opus-4-20250514': {
        cache_creation_5m_input_tokens: 20,
        cache_creation_1h_input_tokens: 100,
        cache_read_input_tokens: 3,
        cost_usd: '0.0075',
      },
    },
  });
});

test('R002-34 a run ends in success, in an error, or cancelled', () => {
  expect(all.filter(isDoneEvent).map(({ data }) => data.status)).toEqual(['success', 'error', 'cancelled']);
});

test('X002-20.1,2 an optional field is left out; null is said of an action, a result and errors alone', () => {
  const nulls = all.flatMap(({ event, data }) =>
    Object.entries(data).flatMap(([field, value]) => (value === null ? [`${event} ${field}`] : [])),
  );
  expect(new Set(nulls)).toEqual(
    new Set(['context_status recommended_action', 'done errors', 'done result']),
  );
});
