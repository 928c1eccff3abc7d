import { expect, test } from 'vitest';
import { z } from 'zod';
import { uncheckedPlaces } from '../../../test/fixtures/unchecked-places.ts';
import { asBlock, isToolResult, kindOf, readLine } from './wire.ts';

const usage = {
  input_tokens: 1,
  output_tokens: 2,
  cache_read_input_tokens: 3,
  cache_creation_input_tokens: 4,
  cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 6 },
  output_tokens_details: { thinking_tokens: 7 },
};
const typed = z.looseObject({ type: z.string() });
const place = { parent_tool_use_id: 'call' };
const streamed = (event: object) => ({ type: 'stream_event', ...place, event });

test.each([
  [
    {
      type: 'system',
      subtype: 'init',
      session_id: 's',
      model: 'm',
      cwd: '/',
      claude_code_version: '2.1.330',
    },
  ],
  [{ type: 'system', subtype: 'api_retry', retry_delay_ms: 1, error_status: 529, error: 'overloaded' }],
  [{ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', rateLimitType: 'five_hour' } }],
  [streamed({ type: 'message_start', message: { id: 'a', model: 'm', usage } })],
  [streamed({ type: 'content_block_stop', index: 0 })],
  [streamed({ type: 'message_delta', usage })],
  [streamed({ type: 'message_stop' })],
  [streamed({ type: 'ping' })],
  [
    streamed({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'a', thinking: 'b', signature: 'c', partial_json: 'd' },
    }),
  ],
  [
    {
      type: 'assistant',
      ...place,
      message: { id: 'a', model: 'm', content: [], stop_reason: 'end_turn', usage },
    },
  ],
  [
    {
      type: 'user',
      ...place,
      message: { content: 'hello' },
      tool_result_meta: [{ id: 'call', permission_decision: { decision: 'deny' } }],
    },
  ],
  [
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'done',
      errors: ['no'],
      terminal_reason: 'r',
      api_error_status: 529,
      stop_reason: 'end_turn',
      usage,
      total_cost_usd: 0.1,
      modelUsage: { m: { contextWindow: 8 } },
      permission_denials: [{ tool_name: 'Bash' }],
    },
  ],
])('each field that is read of a line is checked: %o', (line) => {
  expect(readLine(JSON.stringify(line))).toEqual(line);
  const schema = z.custom((given) => readLine(encoded(given)) !== null);
  expect(uncheckedPlaces(schema, line)).toEqual([]);
});

test.each([
  [{ type: 'text', text: 'a' }],
  [{ type: 'thinking', thinking: 'a', signature: 's' }],
  [{ type: 'redacted_thinking' }],
  [{ type: 'tool_use', id: 'call', name: 'Read', input: { a: 1 } }],
])('a block is known only if its fields are: %o', (block) => {
  expect(asBlock(block)).toEqual(block);
  const schema = typed.refine((given) => asBlock(given) !== null);
  expect(uncheckedPlaces(schema, block)).toEqual([]);
  const started = streamed({ type: 'content_block_start', index: 0, content_block: block });
  expect(readLine(JSON.stringify(started))).toEqual(started);
});

test('the content of a tool result may be anything, its call may not', () => {
  const result = { type: 'tool_result', tool_use_id: 'call', content: 'a', is_error: true };
  expect(
    uncheckedPlaces(
      typed.refine((given) => isToolResult(given)),
      result,
    ),
  ).toEqual(['content']);
  expect(isToolResult({ type: 'text' })).toBe(false);
});

test('a line of another kind has a name', () => {
  expect(readLine('{"type":"system","subtype":"status"}')).toBeNull();
  expect(kindOf('{"type":"system","subtype":"status"}')).toBe('system/status');
  expect(kindOf('{"type":"other"}')).toBe('other');
  expect([kindOf('{"subtype":"status"}'), kindOf('{"type":"a","subtype":1}'), kindOf('no JSON')]).toEqual([
    null,
    null,
    null,
  ]);
});

/** JSON has no symbols: a list in a list is the wrong type for each field. */
function encoded(line: unknown): string {
  return JSON.stringify(line, (_key, value: unknown) => (typeof value === 'symbol' ? [[]] : value));
}
