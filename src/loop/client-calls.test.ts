import { expect, test } from 'vitest';
import type { ToolLoader } from '../providers/client/client-context.ts';
import { appendMessage } from '../providers/history/history-edit.ts';
import { getConversationThread } from '../providers/history/history.ts';
import { collect, request, saying, ScriptedClient } from '../providers/scripted-client.test-helper.ts';
import { createClientContext, type ClientContextParts } from './client-calls.ts';

const weather = { name: 'get_weather', description: 'Tells the weather.', parameters: { type: 'object' } };
const asked = appendMessage(
  request.history,
  { role: 'user', content: 'How is the weather?' },
  { id: 'm1', now: '2026-01-01T00:00:00.000Z' },
);
const call = {
  type: 'function_call_start',
  function_name: 'get_weather',
  tool_name: 'get_weather',
  args: { city: 'Tokyo' },
  tool_call_id: 'c1',
};
const first = [{ type: 'text_chunk', text: 'I look. ' }, call, { type: 'complete', text: 'I look. ' }];
const second = [
  { type: 'text_chunk', text: 'It is 22 °C.' },
  { type: 'complete', text: 'It is 22 °C.' },
];

function contextWith(executeTool: ToolLoader['executeTool'], own: Partial<ClientContextParts> = {}) {
  return createClientContext({
    model: 'model-1',
    thinking_budget: null,
    chat_path: '/chat',
    history_path: '/chat/history.json',
    app_path: '/app',
    main_port: '5000',
    abort_event: new AbortController().signal,
    execution_id: 'e1',
    chat_id: 'chat-1',
    tool_loader: { listTools: () => [weather], executeTool },
    debug_mode: false,
    system_prompt: 'Be brief.',
    ...own,
  });
}

test('R003-17 R003-30.2 R003-36 calls are run, their results sent, and the answer follows', async () => {
  const client = new ScriptedClient(() => saying(...second));
  const context = contextWith(async (name, args) => ({ success: true, data: [name, args] }));
  const events = await collect(client.handleFunctionCallsStream(saying(...first), 'model-1', asked, context));
  expect(events).toMatchObject([
    { type: 'text_chunk', text: 'I look. ', is_follow_up: false },
    { type: 'function_call_start', function_name: 'get_weather', args: { city: 'Tokyo' } },
    { type: 'tool_progress', tool: 'get_weather' },
    { type: 'function_execution_start', count: 1 },
    {
      type: 'function_execution_complete',
      execution: { result: { success: true, data: ['get_weather', { city: 'Tokyo' }] }, has_ui: false },
    },
    { type: 'sending_function_response' },
    { type: 'text_chunk', text: 'It is 22 °C.', is_follow_up: true },
    { type: 'complete', text: 'I look. It is 22 °C.' },
  ]);
  const [sent] = client.requests;
  expect(sent).toMatchObject({ currentTextInput: '', systemPrompt: 'Be brief.' });
  expect(getConversationThread(sent?.history ?? asked).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
  ]);
});

test('R003-32 R003-35 a tool with a page names it where its calls begin and end', async () => {
  const client = new ScriptedClient(() => saying(...second));
  const ui_info = { has_ui: true, html_file: 'index.html' };
  const tool_loader = { listTools: () => [{ ...weather, ui_info }], executeTool: async () => 'sunny' };
  const context = contextWith(tool_loader.executeTool, { tool_loader });
  const events = await collect(client.handleFunctionCallsStream(saying(...first), 'model-1', asked, context));
  expect(events.filter(({ type }) => type === 'function_call_start')).toMatchObject([{ ui_info }]);
  expect(events.filter(({ type }) => type === 'function_execution_complete')).toMatchObject([
    { execution: { has_ui: true, ui_info } },
  ]);
});

test('R003-16 a whole answer with calls gives the last answer and what was run', async () => {
  let turn = 0;
  const client = new ScriptedClient(() => saying(...((turn += 1) === 1 ? first : second)));
  const response = await client.sendRequest(request);
  const [final, executions] = await client.handleFunctionCalls(
    response,
    'model-1',
    asked,
    contextWith(async () => 'sunny'),
  );
  expect(client.extractResponseText(final)).toBe('I look. It is 22 °C.');
  expect(executions).toMatchObject([{ function_name: 'get_weather', result: 'sunny' }]);
});

test('R003-40.1 a context has the fields of the specification', () => {
  expect(contextWith(async () => null)).toMatchObject({
    model: 'model-1',
    thinking_budget: null,
    chat_path: '/chat',
    history_path: '/chat/history.json',
    app_path: '/app',
    main_port: '5000',
    abort_event: { aborted: false },
    execution_id: 'e1',
    chat_id: 'chat-1',
    chat_manager: { getConversationThread: expect.any(Function) },
    tool_loader: { executeTool: expect.any(Function) },
    debug_mode: false,
    system_prompt: 'Be brief.',
  });
});

test('R003-40.2 the tool gets the context, and the model gets what it throws', async () => {
  const client = new ScriptedClient(() => saying(...second));
  const seen: unknown[] = [];
  const context = contextWith(async (...given) => {
    seen.push(given[2]);
    throw new Error('no network');
  });
  await collect(client.handleFunctionCallsStream(saying(...first), 'model-1', asked, context));
  expect(seen).toEqual([context]);
  expect(context.chat_manager.getConversationThread(asked).map(({ id }) => id)).toEqual(['m1']);
  const told = getConversationThread(client.requests[0]?.history ?? asked).at(-1);
  expect(told).toMatchObject({ role: 'tool', content: 'no network', is_error: true });
});

test('X003-7.3 an abort while a tool runs ends the stream with what was said', async () => {
  const controller = new AbortController();
  const client = new ScriptedClient(() => saying(...second));
  const context = contextWith(
    () => {
      controller.abort();
      return new Promise(() => undefined);
    },
    { abort_event: controller.signal },
  );
  const events = await collect(client.handleFunctionCallsStream(saying(...first), 'model-1', asked, context));
  expect(events.at(-1)).toEqual({ type: 'aborted', text: 'I look. ', reason: 'user_abort' });
  expect(client.requests).toEqual([]);
});

test('X003-8 paths of a context are absolute, and its port is a string', () => {
  expect(() => contextWith(async () => null, { chat_path: 'chat' })).toThrow('chat_path must be absolute');
  expect(contextWith(async () => null).main_port).toBe('5000');
});

test('X003-14.4 a follow-up call that stays overloaded is the last event, after three repeats', async () => {
  const client = new ScriptedClient(() => saying(busy));
  const context = contextWith(async () => 'x');
  const events = await collect(client.handleFunctionCallsStream(saying(...first), 'model-1', asked, context));
  expect(events.at(-1)).toMatchObject({ type: 'error', retryable: true, code: 'overloaded' });
  expect(client.requests).toHaveLength(4);
});

test('X003-14.1 a follow-up call that is overloaded for a while is repeated', async () => {
  let turn = 0;
  const client = new ScriptedClient(() => ((turn += 1) === 1 ? saying(busy) : saying(...second)));
  const context = contextWith(async () => 'x');
  const events = await collect(client.handleFunctionCallsStream(saying(...first), 'model-1', asked, context));
  expect(events.at(-1)).toMatchObject({ type: 'complete', text: 'I look. It is 22 °C.' });
  expect(events.filter(({ type }) => type === 'error')).toEqual([]);
});

const busy = { type: 'error', error: 'busy', status: 503, retry_after: 0 } as const;
