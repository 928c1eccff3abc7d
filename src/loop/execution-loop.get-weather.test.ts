import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { messagesInOrder } from '../../test/upstream/messages-steps.ts';
import { startMessagesUpstream } from '../../test/upstream/messages-server.ts';
import { systemClock } from '../system/clock.ts';
import { createClientModel } from '../providers/client/client-model.ts';
import { AnthropicClient } from '../providers/anthropic/anthropic_client.ts';
import { defineTool } from '../tools/definition/define-tool.ts';
import type { IProvider } from '../tools/definition/interfaces.ts';
import { runLoop } from './execution-loop.ts';
import type { History } from './history.ts';
import { readOnlyPolicy } from './tool-policy.ts';

const executed: unknown[] = [];
const getWeather = defineTool({
  name: 'get_weather',
  description: 'The weather at a place.',
  readOnly: true,
  args: z.strictObject({ location: z.string() }),
  async run(args) {
    executed.push(args);
    return { content: '25°C, 晴れ', isError: false };
  },
});

test('R004-10 the eight steps of the specification, through the real SDK and back', async () => {
  // 4: the reply of the API, in its own form.
  const upstream = await startMessagesUpstream(
    messagesInOrder(
      {
        text: 'わかりました。お調べします。',
        tools: [{ name: 'get_weather', input: { location: 'Taipei' }, id: 'toolu_1' }],
      },
      { text: '台北は25°C、晴れです。' },
    ),
  );
  onTestFinished(() => upstream.close());
  const client = new AnthropicClient({
    env: { ANTHROPIC_API_KEY: 'key-for-tests', ANTHROPIC_API_BASE: upstream.url },
  });
  // 1: the user's words.
  const history: History = [{ role: 'user', parts: [{ type: 'text', text: '台北の天気を調べて' }] }];
  let kept = history;
  const end = await runLoop({
    model: createClientModel({ client, name: 'anthropic', modelId: 'claude-haiku-4-5', identity }),
    system: '',
    tools: [getWeather],
    policy: readOnlyPolicy,
    limits: { firstSignMs: 30_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 60_000 },
    clock: systemClock,
    history,
    callId: 'chat/1',
    signal: new AbortController().signal,
    emit: () => undefined,
    keep: (now) => (kept = now),
  });

  // 2 and 3: the provider gets the words and the tool, and sends both.
  expect(upstream.requests[0]?.body).toMatchObject({
    messages: [{ role: 'user', content: [{ type: 'text', text: '台北の天気を調べて' }] }],
    tools: [{ name: 'get_weather', input_schema: { required: ['location'] } }],
  });
  // 5 and 6: the reply of the API, as the core represents it.
  expect(kept[1]).toMatchObject({
    role: 'assistant',
    parts: [
      { type: 'text', text: 'わかりました。お調べします。' },
      { type: 'tool_call', id: 'toolu_1', name: 'get_weather', args: { location: 'Taipei' } },
    ],
  });
  // 7: the core runs the tool of that name.
  expect(executed).toEqual([{ location: 'Taipei' }]);
  // 8: its result is in the memory, and the provider is called again.
  expect(kept[2]).toMatchObject({
    parts: [{ type: 'tool_result', id: 'toolu_1', content: '25°C, 晴れ', is_error: false }],
  });
  expect(upstream.requests[1]?.body).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
    ],
  });
  expect(end).toMatchObject({ kind: 'answered', text: '台北は25°C、晴れです。' });
  expect(kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
});

const identity = {
  provider: 'anthropic',
  displayName: 'Claude',
  version: null,
  model: null,
  login: null,
  destination: null,
  remarks: [],
};

test('R004-6 R004-8.3 the same answer is a ProviderResponse to a core that knows the two names of the specification alone', async () => {
  const upstream = await startMessagesUpstream(
    messagesInOrder({
      text: 'わかりました。お調べします。',
      tools: [{ name: 'get_weather', input: { location: 'Taipei' }, id: 'toolu_1' }],
    }),
  );
  onTestFinished(() => upstream.close());
  const provider: IProvider = new AnthropicClient({
    env: { ANTHROPIC_API_KEY: 'key-for-tests', ANTHROPIC_API_BASE: upstream.url },
  });
  const response = await provider.generate('台北の天気を調べて', {
    tools: new Map([['get_weather', getWeather]]),
  });
  expect(response.segments).toEqual([
    { type: 'text', text: 'わかりました。お調べします。' },
    { type: 'tool_call', toolCall: { id: 'toolu_1', name: 'get_weather', args: { location: 'Taipei' } } },
  ]);
});
