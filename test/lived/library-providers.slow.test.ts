/** The client of specification 003 and the provider of 004 as the installed library offers them to an author. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { StreamOptions } from '../../src/providers/client/ai-client.ts';
import type { ProviderEvent } from '../../src/providers/client/provider-event.ts';
import { collect } from '../../src/providers/scripted-client.test-helper.ts';
import { shared } from '../packed/shared-place.ts';
import { importEntry } from './installed-library.ts';

const library = shared(async (place) => ({
  ...(await importEntry(place, 'providers')),
  ...(await importEntry(place, 'index')),
  ...(await importEntry(place, 'interfaces')),
  place,
}));

const now = '2026-01-01T00:00:00.000Z';
const key = 'sk-0123456789abc123';

// oxlint-disable-next-line typescript/no-explicit-any
async function* events(...all: readonly any[]): AsyncGenerator<ProviderEvent, void, void> {
  yield* all;
}

/** A client whose model gives these events, one list a request; the last one repeats. */
function clientOf(...turns: readonly (readonly object[])[]) {
  const { AiClient, place } = library();
  const requests: StreamOptions[] = [];
  const profiles = place.write('azure_openai/ai_profile/m.json', JSON.stringify(profile));
  class AzureOpenAIClient extends AiClient {
    static override getProviderName(): string {
      return 'azure_openai';
    }
    static override getProfileDir(): string {
      return join(profiles, '..');
    }
    settings(): readonly (string | null)[] {
      return [this.apiKey, this.apiBase, this.apiVersion, this.orgId];
    }
    override async *sendRequestStream(options: StreamOptions) {
      requests.push(options);
      this.parametersOf(options);
      yield* events(...(turns[Math.min(requests.length, turns.length) - 1] ?? []));
    }
  }
  const env = { AZURE_OPENAI_API_KEY: key, AZURE_OPENAI_API_BASE: 'http://localhost:1' };
  return { AzureOpenAIClient, client: new AzureOpenAIClient({ env }), requests };
}

const profile = {
  basic_info: { id: 'm', name: 'M', description: 'a model', provider: 'azure_openai' },
  capabilities: {
    context_length: 1000,
    max_completion_tokens: 100,
    supported_parameters: ['temperature', 'top_p'],
  },
  features: {
    supports_function_calling: true,
    supports_streaming: true,
    is_multimodal: true,
    input_modalities: ['text', 'image', 'video', 'audio'],
    output_modalities: ['text', 'image', 'audio'],
    supports_reasoning: false,
  },
  pricing: { input_per_1m_tokens: 1, output_per_1m_tokens: 2, currency: 'USD' },
  limitations: { rate_limit_rpm: 1000, rate_limit_tpm: 4_000_000 },
  notes: { best_for: ['tests'] },
};

function newHistory() {
  return library().emptyHistory({ conversationId: 'c1', title: '', model: 'm', platform: 'azure', now });
}

const request = () => ({
  modelId: 'm',
  history: newHistory(),
  currentTextInput: 'Look.',
  currentFilePaths: [],
});
const complete = { type: 'complete', text: '' };

describe('a client', () => {
  test('R003-8 R003-9 R003-10 has the name and the folder of its provider, and cannot be made without its key', () => {
    const { AzureOpenAIClient, client } = clientOf();
    expect([client.name, AzureOpenAIClient.getProfileDir()]).toEqual([
      'azure_openai',
      expect.stringMatching(/^\/.*ai_profile$/),
    ]);
    for (const env of [{}, { AZURE_OPENAI_API_KEY: ' ' }])
      expect(() => new AzureOpenAIClient({ env })).toThrow(
        expect.objectContaining({
          name: 'ValueError',
          message: 'AZURE_OPENAI_API_KEY が設定されていません。環境変数を設定してください。',
        }),
      );
  });

  test('R003-44 X003-18 R003-18.1,2 reads key, address, version and organization from the environment, and shows the key masked', () => {
    const { AzureOpenAIClient, client } = clientOf();
    expect(library().variableOf('azure_openai', 'API_KEY')).toBe('AZURE_OPENAI_API_KEY');
    expect(client.settings()).toEqual([key, 'http://localhost:1', null, null]);
    const env = { AZURE_OPENAI_API_KEY: 'short', AZURE_OPENAI_API_VERSION: 'v2', AZURE_OPENAI_ORG_ID: 'org' };
    const other = new AzureOpenAIClient({ env });
    expect(other.settings()).toEqual(['short', null, 'v2', 'org']);
    expect([client, other].map((each) => each.getMaskedApiKey())).toEqual(['sk-...abc123', '***']);
    expect(() => client.abortStreaming()).not.toThrow();
  });

  test('X003-16 with a login of its own it needs no key, but its program', () => {
    const { AzureOpenAIClient } = clientOf();
    class CliClient extends AzureOpenAIClient {
      static override readonly authMode = 'cli_login';
      static override readonly program: string = 'nowhere-to-be-found';
    }
    expect(() => new CliClient({ env: { PATH: '/bin' } })).toThrow(
      expect.objectContaining({ name: 'ValueError', code: 'cli_missing' }),
    );
    class PresentClient extends CliClient {
      static override readonly program = 'sh';
    }
    expect(() => new PresentClient({ env: { PATH: '/bin:/usr/bin' } })).not.toThrow();
  });

  test('R003-11 R003-14.1 R003-46 takes the options of the specification, refuses bad ones with ValueError and says of a failed call when to repeat it', async () => {
    const { client, requests } = clientOf([{ type: 'text_chunk', text: 'Hello' }, complete]);
    const options = {
      ...request(),
      temperature: 0.7,
      tools: [],
      systemPrompt: 'Be brief.',
      extra: { top_p: 1 },
    };
    const response = await client.sendRequest(options);
    expect(client.extractResponseText(response)).toBe('Hello');
    expect(requests[0]).toMatchObject(options);
    await expect(client.sendRequest({ ...request(), extra: { top_z: 1 } })).rejects.toMatchObject({
      name: 'ValueError',
    });
    const busy = { type: 'error', error: 'busy', status: 503, retry_after: 3 };
    await expect(clientOf([busy]).client.sendRequest(request())).rejects.toMatchObject({
      name: 'APIError',
      status: 503,
      retryAfter: 3,
      retryable: true,
    });
  });

  test('R003-12 R003-13 X003-11 sends the parameters that its model takes, in their bounds', async () => {
    const { client } = clientOf([complete]);
    for (const wrong of [{ temperature: -0.1 }, { temperature: 2.1 }, { thinkingBudget: 100 }])
      await expect(client.sendRequest({ ...request(), ...wrong })).rejects.toMatchObject({
        name: 'ValueError',
      });
    await expect(client.sendRequest({ ...request(), temperature: 2 })).resolves.toBeDefined();
  });

  test('R003-18.3 sends the results of calls as a follow-up', async () => {
    const call = {
      type: 'function_call_start',
      function_name: 'look',
      tool_name: 'look',
      args: {},
      tool_call_id: 'c1',
    };
    const { client, requests } = clientOf([{ type: 'text_chunk', text: 'Seen.' }, complete]);
    const { appendMessage, getConversationThread } = library();
    const asked = appendMessage(newHistory(), { role: 'user', content: 'Look.' }, { id: 'm1', now });
    const called = appendMessage(
      asked,
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ tool_call_id: call.tool_call_id, function_name: 'look', arguments: {} }],
      },
      { id: 'm2', now },
    );
    await client.sendFunctionResponse({
      modelId: 'm',
      history: called,
      functionResponseParts: [{ tool_call_id: 'c1', content: 'one' }],
    });
    const [sent] = requests;
    expect(sent?.currentTextInput).toBe('');
    expect(getConversationThread(sent?.history ?? asked).at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'c1',
      content: 'one',
    });
  });
});

describe('its stream', () => {
  const call = {
    type: 'function_call_start',
    function_name: 'get_weather',
    tool_name: 'get_weather',
    args: { city: 'Tokyo' },
    tool_call_id: 'c1',
  };
  const first = [
    { type: 'thinking_chunk', text: 'Hm.' },
    { type: 'text_chunk', text: 'I look. ' },
    call,
    { type: 'complete', text: 'I look. ' },
  ];
  const second = [
    { type: 'text_chunk', text: 'It is 22 °C.' },
    { type: 'complete', text: 'It is 22 °C.', usage: { input_tokens: 3, output_tokens: 2 }, model: 'm' },
  ];
  const ui_info = { has_ui: true, html_file: 'index.html' };
  const weather = { name: 'get_weather', description: 'Tells it.', parameters: { type: 'object' }, ui_info };

  function contextWith(own: object = {}) {
    return library().createClientContext({
      model: 'm',
      thinking_budget: null,
      chat_path: '/chat',
      history_path: '/chat/history.json',
      app_path: '/app',
      main_port: '5000',
      abort_event: new AbortController().signal,
      execution_id: 'e1',
      chat_id: 'c1',
      tool_loader: { listTools: () => [weather], executeTool: async () => ({ degrees: 22 }) },
      debug_mode: false,
      system_prompt: null,
      ...own,
    });
  }

  async function turn(context = contextWith()) {
    const { client, requests } = clientOf(first, second);
    const { appendMessage } = library();
    const asked = appendMessage(newHistory(), { role: 'user', content: 'Weather?' }, { id: 'm1', now });
    const stream = client.sendRequestStream({ ...request(), history: asked });
    return {
      requests,
      all: await collect(client.handleFunctionCallsStream(stream, 'm', asked, context)),
    };
  }

  test('R003-30 R003-31 R003-37 has its text in pieces, which say what follows a call, its thinking and its whole text at the end', async () => {
    const { all } = await turn();
    expect(all.filter(({ type }) => /_chunk$|^complete$/.test(type))).toMatchObject([
      { type: 'thinking_chunk', text: 'Hm.' },
      { type: 'text_chunk', text: 'I look. ', is_follow_up: false },
      { type: 'text_chunk', text: 'It is 22 °C.', is_follow_up: true },
      { type: 'complete', text: 'I look. It is 22 °C.' },
    ]);
  });

  test('R003-32 R003-33 R003-35 has a call with its page, its progress and its result', async () => {
    const { all } = await turn();
    const facts = { function_name: 'get_weather', tool_name: 'get_weather', args: { city: 'Tokyo' } };
    expect(all.filter(({ type }) => /call_start|progress|_complete/.test(type))).toMatchObject([
      { type: 'function_call_start', ...facts, ui_info },
      { type: 'tool_progress', tool: 'get_weather', message: expect.any(String) },
      {
        type: 'function_execution_complete',
        execution: { ...facts, result: { degrees: 22 }, has_ui: true, ui_info },
      },
    ]);
  });

  test('R003-34 R003-36 X003-6 counts the calls that it runs before it sends their results', async () => {
    const { all } = await turn();
    const names = all.map(({ type }) => type);
    const ran = names.slice(
      names.indexOf('function_execution_start'),
      names.indexOf('sending_function_response'),
    );
    expect(all.find(({ type }) => type === 'function_execution_start')).toMatchObject({
      count: ran.filter((name) => name === 'function_execution_complete').length,
    });
    expect(ran).toHaveLength(2);
  });

  test('R004-10 keeps the call and its result in the history that goes to the model again', async () => {
    const { requests } = await turn();
    // The first answer came from the stream that the caller had begun.
    expect(requests).toHaveLength(2);
    const thread = library().getConversationThread(requests[1]?.history ?? newHistory());
    expect(thread).toMatchObject([
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: 'I look. ',
        tool_calls: [{ function_name: 'get_weather', arguments: { city: 'Tokyo' } }],
      },
      { role: 'tool', content: '{"degrees":22}' },
    ]);
    expect(thread[2]?.tool_call_id).toBe(thread[1]?.tool_calls?.[0]?.tool_call_id);
  });

  test('R004-12 X004-9 of many tools sends those that fit the question and those that were called, the same ones each time', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      name: `tool_${index}`,
      description: index === 33 ? 'Tells the weather of a city.' : `Counts the ${index} sheep.`,
      parameters: { type: 'object', properties: {} },
    }));
    const tool_loader = { listTools: () => [weather, ...many], executeTool: async () => 'sunny' };
    const sent = async () =>
      (await turn(contextWith({ tool_loader }))).requests[1]?.tools?.map(({ name }) => name) ?? [];
    const names = await sent();
    expect(names.length).toBeLessThanOrEqual(17);
    expect(names).toEqual(expect.arrayContaining(['get_weather', 'tool_33']));
    expect(await sent()).toEqual(names);
    const few = { ...tool_loader, listTools: () => [weather, ...many.slice(0, 31)] };
    const { requests } = await turn(contextWith({ tool_loader: few }));
    expect(requests[1]?.tools).toHaveLength(32);
  });

  test('R003-40 X003-8 gives the tool the context of the specification, whose paths are absolute and whose port is text', async () => {
    const seen: unknown[] = [];
    const context = contextWith({
      tool_loader: {
        listTools: () => [weather],
        executeTool: async (...values: readonly unknown[]) => (seen.push(...values), 'sunny'),
      },
    });
    await turn(context);
    expect(seen).toEqual(['get_weather', { city: 'Tokyo' }, context]);
    expect(Object.keys(context)).toEqual(
      expect.arrayContaining([
        'model',
        'thinking_budget',
        'chat_path',
        'history_path',
        'app_path',
        'main_port',
        'abort_event',
        'execution_id',
        'chat_id',
        'chat_manager',
        'tool_loader',
        'debug_mode',
        'system_prompt',
      ]),
    );
    expect(context.main_port).toBe('5000');
    expect(() => contextWith({ chat_path: 'chat' })).toThrow('chat_path must be absolute');
  });

  test('R003-38 X003-4.1,2,4 X003-7.2 ends once, after an abort with the text until then', async () => {
    const { lawfulStream } = library();
    const leaving = new AbortController();
    async function* endless() {
      yield { type: 'text_chunk', text: 'a' };
      leaving.abort();
      yield { type: 'text_chunk', text: 'b' };
      await new Promise(() => undefined);
    }
    const all = await collect(lawfulStream(endless, leaving.signal));
    expect(all.at(-1)).toEqual({ type: 'aborted', text: 'a', reason: 'user_abort' });
    const late = await collect(lawfulStream(() => events(...second, { type: 'text_chunk', text: 'late' })));
    expect(late.map(({ type }) => type)).toEqual(['text_chunk', 'complete']);
  });

  test('R003-39 R003-45.1-4 X003-3 ends with an error in the words of the specification, and fills in what an author leaves out', async () => {
    const { lawfulStream, APIError } = library();
    const failing = async (error: unknown) => {
      async function* broken(): AsyncGenerator<object, void, void> {
        yield { type: 'text_chunk', text: 'a' };
        throw error;
      }
      return collect(lawfulStream(broken));
    };
    const errors = [
      new APIError('no', { code: 'auth' }),
      new APIError('slow', { code: 'rate_limit', retryAfter: 3 }),
      new APIError('busy', { status: 503, code: 'overloaded' }),
      new TypeError('x is undefined'),
    ];
    const all = await Promise.all(errors.map(failing));
    expect(all.map((each) => each[0])).toEqual(
      errors.map(() => ({ type: 'text_chunk', text: 'a', is_follow_up: false })),
    );
    expect(all.map((each) => each.at(-1))).toMatchObject([
      { type: 'error', error: 'APIキーが無効です。環境変数を確認してください。' },
      { type: 'error', error: 'レート制限に達しました。3秒後に再試行してください。' },
      { type: 'error', error: 'API呼び出しエラー: busy' },
      { type: 'error', error: '予期しないエラー: x is undefined' },
    ]);
  });

  test('X003-5.1 R003-14.2 adds ids and usage to the events of the specification', async () => {
    const { all } = await turn();
    const ids = all.flatMap((event) => {
      if (event.type === 'function_call_start') return [event.tool_call_id];
      return event.type === 'function_execution_complete' ? [event.execution.tool_call_id] : [];
    });
    expect(ids).toEqual([expect.stringMatching(/./), ids[0]]);
    expect(all.at(-1)).toMatchObject({
      usage: expect.objectContaining({ output_tokens: expect.any(Number) }),
    });
  });
});

const place = (id: string, parent_id: string | null, ...children_ids: readonly string[]) => ({
  id,
  parent_id,
  children_ids,
  created_at: now,
  content: '',
});
const say = (content: string, role: 'user' | 'assistant' = 'user') => ({ role, content });

describe('the history', () => {
  test('R003-19 R003-20 X003-2.1,2 is a tree, empty at first, with ids of its own', () => {
    const { appendMessage, newMessageId } = library();
    expect(newHistory()).toEqual({
      conversation_id: 'c1',
      title: '',
      created_at: now,
      updated_at: now,
      model: 'm',
      platform: 'azure',
      messages: {},
      root_id: null,
      current_node: null,
    });
    expect(newMessageId(Math.random)).toMatch(/^msg_[0-9a-z]{12}$/);
    const history = appendMessage(newHistory(), { role: 'user', content: 'Look.' }, { id: 'm1', now });
    expect(history.messages['m1']).toEqual({
      id: 'm1',
      role: 'user',
      content: 'Look.',
      parent_id: null,
      children_ids: [],
      created_at: now,
    });
  });

  test('R003-21 R003-22 R003-23 keeps the four roles, attachments and calls as they are, and refuses others', () => {
    const { parseHistory } = library();
    const attachments = [{ type: 'image', mime_type: 'image/png', url: '/a.png', name: 'a.png' }];
    const tool_calls = [{ tool_call_id: 'c1', function_name: 'look', arguments: { at: 1 } }];
    const whole = {
      ...newHistory(),
      root_id: 's',
      current_node: 't',
      messages: {
        s: { ...place('s', null, 'u'), role: 'system' },
        u: { ...place('u', 's', 'a'), role: 'user', attachments },
        a: { ...place('a', 'u', 't'), role: 'assistant', tool_calls },
        t: { ...place('t', 'a'), role: 'tool', tool_call_id: 'c1' },
      },
    };
    expect(parseHistory(whole)).toEqual(whole);
    const changed = (id: 's' | 'u' | 'a' | 't', change: object) => ({
      ...whole,
      messages: { ...whole.messages, [id]: { ...whole.messages[id], ...change } },
    });
    for (const wrong of [
      changed('u', { role: 'robot' }),
      changed('u', { attachments: [{ ...attachments[0], type: 'smell' }] }),
      changed('a', { tool_calls: [{ tool_call_id: 'c1', function_name: 'look', arguments: 'x' }] }),
      changed('u', { tool_calls }),
    ])
      expect(() => parseHistory(wrong)).toThrow('the history is corrupt');
  });

  test('R003-24 X003-1 gives the thread of its current message on any branch, and names each broken link', () => {
    const { appendMessage, branchesAt, checkHistory, editMessage, getConversationThread, switchBranch } =
      library();
    let history = appendMessage(newHistory(), say('one'), { id: 'm1', now });
    history = appendMessage(history, say('two', 'assistant'), { id: 'm2', now });
    history = appendMessage(history, say('three'), { id: 'm3', now });
    const edited = editMessage(history, 'm3', { content: 'other' }, { id: 'm4', now, rootId: 'r' });
    const thread = (of: typeof history) => getConversationThread(of).map(({ content }) => content);
    expect([thread(edited), thread(switchBranch(edited, 'm3'))]).toEqual([
      ['one', 'two', 'other'],
      ['one', 'two', 'three'],
    ]);
    expect(branchesAt(edited, 'm3')).toEqual(['m3', 'm4']);
    expect(checkHistory(edited)).toEqual([]);
    const { m2 } = history.messages;
    if (m2 === undefined) throw new Error('there is no message m2');
    const broken = [
      { root_id: 'nowhere' },
      { current_node: 'nowhere' },
      { messages: { ...history.messages, m2: { ...m2, children_ids: [] } } },
      { messages: { ...history.messages, m2: { ...m2, parent_id: 'm3' } } },
      { messages: { ...history.messages, m2: { ...m2, created_at: '2020-01-01T00:00:00.000Z' } } },
      { messages: { ...history.messages, m2: { ...m2, role: 'tool' as const, tool_call_id: 'c9' } } },
    ];
    for (const change of broken) expect(checkHistory({ ...history, ...change })).not.toEqual([]);
  });

  test('X003-2.3,4 gives a model what an aborted answer said, and its open calls a result', () => {
    const { appendMessage, getConversationThread, toModelMessages } = library();
    let history = appendMessage(newHistory(), { role: 'user', content: 'Look.' }, { id: 'm1', now });
    const call = { tool_call_id: 'c1', function_name: 'look', arguments: {} };
    history = appendMessage(
      history,
      { role: 'assistant', content: 'I am loo', tool_calls: [call], status: 'aborted' },
      { id: 'm2', now },
    );
    history = appendMessage(history, { role: 'user', content: 'Go on.' }, { id: 'm3', now });
    const [, answer, rest] = toModelMessages(getConversationThread(history), { model: 'm' });
    expect(answer?.parts).toMatchObject([
      { type: 'text', text: 'I am loo' },
      { type: 'tool_call', id: 'c1' },
    ]);
    expect(rest?.parts).toMatchObject([
      { type: 'tool_result', id: 'c1', is_error: true },
      { text: 'Go on.' },
    ]);
  });
});

describe('a profile', () => {
  test('R003-41 R003-42 R003-43 of the specification is read whole', () => {
    expect(clientOf().client.profileOf('m')).toEqual(profile);
  });

  test('X003-9.1 is judged by the published schema as by the program', () => {
    const path = join(library().place.packageFolder, 'schemas/collab.profile.json');
    const judge = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(path, 'utf8')));
    expect(
      [profile, { ...profile, notes: undefined }, { ...profile, features: {} }, {}].map((each) =>
        judge(JSON.parse(JSON.stringify(each))),
      ),
    ).toEqual([true, true, false, false]);
  });

  test('X003-10 whose id has signs that no file name has is found by its id', () => {
    const { client, AzureOpenAIClient } = clientOf();
    const other = { ...profile, basic_info: { ...profile.basic_info, id: 'org/m:1' } };
    writeFileSync(join(AzureOpenAIClient.getProfileDir(), 'org%2Fm%3A1.json'), JSON.stringify(other));
    expect([client.profileOf('org/m:1')?.basic_info.id, client.profileOf('1')]).toEqual(['org/m:1', null]);
  });
});

const tools = () =>
  new Map([['fs.read', { name: 'fs.read', description: 'Reads.', parameters: { type: 'object' } }]]);

describe('the provider of specification 004', () => {
  test('R004-5 R004-6 R004-2.1,2 answers with segments in the order of the model, and a call without an id gets one', async () => {
    const { client } = clientOf([
      { type: 'text_chunk', text: 'I ' },
      { type: 'text_chunk', text: 'look.' },
      { type: 'function_call_start', function_name: 'fs.read', tool_name: 'fs.read', args: { path: 'a' } },
      { ...complete, text: 'I look.', stop_reason: 'tool_use' },
    ]);
    expect(await client.generate('go', { tools: tools() })).toEqual({
      segments: [
        { type: 'text', text: 'I look.' },
        {
          type: 'tool_call',
          toolCall: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'fs.read', args: { path: 'a' } },
        },
      ],
      metadata: { usage: null, model: null, stop_reason: 'tool_use' },
    });
  });

  test('R004-7 R004-8.1 R004-3 gives the model the tools of its context, and its memory with pictures', async () => {
    const { client, requests } = clientOf([complete]);
    const picture = { type: 'image' as const, data: 'iVBORw0KGgo=', mimeType: 'image/png' };
    const memory = [{ role: 'user' as const, text: 'look', media: [picture] }];
    await client.generate('and now?', { tools: tools(), memory, system: 'You lead.' });
    expect(requests[0]).toMatchObject({
      currentTextInput: 'and now?',
      systemPrompt: 'You lead.',
      tools: [...tools().values()],
    });
    const thread = library().getConversationThread(requests[0]?.history ?? newHistory());
    expect(thread.map(({ content }) => content).join('')).toBe('look');
    expect(thread.flatMap(({ attachments = [] }) => attachments)).toMatchObject([
      { type: 'image', mime_type: 'image/png' },
    ]);
  });

  test('R004-13 X004-8 passes a text about an error on as text, and throws AgentPainException for a failure', async () => {
    const text = 'The answer was no JSON.';
    const { client } = clientOf([
      { type: 'text_chunk', text },
      { ...complete, text },
    ]);
    expect((await client.generate('go', { tools: tools() })).segments).toEqual([{ type: 'text', text }]);
    const broken = clientOf([{ type: 'error', error: 'garbage', code: 'parse' }]).client;
    await expect(broken.generate('go', { tools: tools() })).rejects.toMatchObject({
      name: 'AgentPainException',
      message: 'garbage',
      raw: { type: 'error', error: 'garbage' },
    });
  });

  test('X004-12 XB-7 generates the sum of what it streams', async () => {
    const turns = [
      { type: 'text_chunk', text: 'I ' },
      { type: 'text_chunk', text: 'look.' },
      { ...complete, text: 'I look.' },
    ];
    const { client } = clientOf(turns);
    const pieces = await collect(client.stream('go', { tools: tools() }));
    const text = pieces.map((piece) => (piece.type === 'text_delta' ? piece.text : '')).join('');
    const { segments } = await client.generate('go', { tools: tools() });
    expect([pieces.length > 1, segments]).toEqual([true, [{ type: 'text', text }]]);
  });

  test('X004-2 encodes the dots of a tool name for an API, and decodes them', () => {
    const { decodeToolName, encodeToolName } = library();
    for (const name of ['fs.read', 'a-b.c_d', 'get_weather', 'x'.repeat(40)]) {
      expect(encodeToolName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(decodeToolName(encodeToolName(name))).toBe(name);
    }
  });

  test('R004-15 has definitions that import nothing', () => {
    const file = join(library().place.packageFolder, 'dist/interfaces.js');
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).not.toMatch(/\bimport\b|\brequire\(/);
    expect(new (library().AgentPainException)('no', { raw: '{' })).toMatchObject({ raw: '{' });
  });
});
