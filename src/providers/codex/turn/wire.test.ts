import { expect, test } from 'vitest';
import { z } from 'zod';
import { uncheckedPlaces } from '../../../../test/fixtures/unchecked-places.ts';
import { readNotification } from './wire.ts';

const error = { message: 'cut', codexErrorInfo: 'other', additionalDetails: 'eof' };
const counts = {
  inputTokens: 1,
  cachedInputTokens: 2,
  cacheWriteInputTokens: 3,
  outputTokens: 4,
  reasoningOutputTokens: 5,
  totalTokens: 6,
};
const items = [
  { type: 'agentMessage', text: 'done', phase: 'final' },
  { type: 'reasoning', summary: ['I look'] },
  { type: 'userMessage' },
  {
    type: 'commandExecution',
    command: 'ls',
    status: 'completed',
    aggregatedOutput: 'a.ts',
    exitCode: 0,
    durationMs: 5,
  },
  {
    type: 'fileChange',
    status: 'completed',
    changes: [{ path: 'a.ts', kind: { type: 'update' }, diff: '+a' }],
  },
  {
    type: 'mcpToolCall',
    server: 's',
    tool: 't',
    arguments: { a: 1 },
    status: 'completed',
    result: { b: 2 },
    error: { message: 'no' },
    durationMs: 5,
  },
  {
    type: 'dynamicToolCall',
    tool: 't',
    arguments: { a: 1 },
    status: 'completed',
    contentItems: [{ c: 3 }],
    success: true,
    durationMs: 5,
  },
  { type: 'webSearch', query: 'q' },
  { type: 'imageView', path: 'a.png' },
].map((item) => ({ id: 'i1', ...item }));

test.each<readonly [string, object, readonly string[]]>([
  ['turn/started', {}, []],
  ['turn/completed', { turn: { id: 't1', status: 'failed', error } }, ['params.turn.error.codexErrorInfo']],
  ...items.flatMap((item) => [
    ['item/started', { item }, []] as const,
    ['item/completed', { item }, []] as const,
  ]),
  ['item/agentMessage/delta', { itemId: 'i1', delta: 'a' }, []],
  ['item/reasoning/summaryTextDelta', { itemId: 'i1', delta: 'a' }, []],
  ['item/reasoning/textDelta', { itemId: 'i1', delta: 'a' }, []],
  ['item/commandExecution/outputDelta', { itemId: 'i1', delta: 'a' }, []],
  ['turn/plan/updated', { plan: [{ step: 'look', status: 'done' }] }, []],
  ['thread/tokenUsage/updated', { turnId: 't1', tokenUsage: { last: counts, modelContextWindow: 7 } }, []],
  ['error', { error, willRetry: true }, ['params.error.codexErrorInfo']],
])('each field that is read of %s is checked: %o', (method, fields, unchecked) => {
  const params = { threadId: 'thread', ...fields };
  expect(readNotification(method, params)).toEqual({ method, params });
  const schema = z.object({
    method: z.literal(method),
    params: z.custom((given) => readNotification(method, given) !== null),
  });
  expect(uncheckedPlaces(schema, { method, params })).toEqual(unchecked);
});

test('a notification of another method is not read', () => {
  expect(readNotification('thread/started', { threadId: 'thread' })).toBeNull();
});
