// @vitest-environment jsdom
/** The sample client of specification 002, unchanged, at the installed server. */
import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Deferred } from '../../src/system/deferred.ts';
import { executor } from '../../src/server/served.test-helper.ts';
import { anthropic } from '../contract/providers/anthropic.ts';
import { livedWorld } from './lived-world.ts';
import { specifiedClient, type SpecifiedClient, type SpecifiedHook } from './specification-client.ts';

/** Of the browser; its types are not known here. */
declare const document: { createElement(name: string): object; body: { append(element: object): void } };

const world = livedWorld(anthropic);
const tenantId = 'local';
const request = { user_input: 'Hello?', executor };

let client: SpecifiedClient;
beforeAll(async () => {
  client = await specifiedClient();
});

let removed: () => void = () => undefined;
beforeEach(() => {
  const send = globalThis.fetch;
  // A page asks the server that it is from.
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    send(new Request(new URL(path, world().served.url), init)),
  );
});
afterEach(() => {
  removed();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('R002-9 R002-47.2,3,5 its component sends what was typed, and shows the thinking, the answer and the usage', async () => {
  const logged = vi.spyOn(console, 'log').mockReturnValue();
  world().answer([{ thinking: 'よく考える。', text: 'こんにちは！お手伝いします。' }]);
  removed = client.showChat(element(), { tenantId, conversationId: 'component' });
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: 'こんにちは' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('Tokens: 154', {}, patience);
  await screen.findByText('こんにちは！お手伝いします。');
  await screen.findByText('よく考える。');
  await screen.findByRole('button', { name: 'Send' });
  expect(world().requests()[0]).toContain('こんにちは');
  expect(logged.mock.calls).toEqual(
    expect.arrayContaining([
      ['Progress [thinking]: 思考中...'],
      ['Progress [generating]: レスポンスを生成中...'],
      ['Title generated:', 'こんにちは'],
    ]),
  );
});

test('R002-43 R002-44.1-5,7,8,10 R002-46.1,2 its hook has the whole run, and its handlers are called in the order of the events', async () => {
  world().place.write('a.txt', 'the content\n');
  const input = { file_path: 'a.txt' };
  world().answer([
    { thinking: 'よく考える。', text: 'I look. ', tools: [{ name: 'Read', input }] },
    { text: 'Done.' },
  ]);
  const hook = await hookOf('hook');
  const called: string[] = [];
  const call = (name: string) => () => void (called.at(-1) === name || called.push(name));
  let last = 0;
  await hook().execute(request, {
    onInit: call('init'),
    onThinking: call('thinking'),
    onAssistant: call('assistant'),
    onToolCall: call('tool_call'),
    onToolResult: call('tool_result'),
    onTitle: call('title'),
    onContextStatus: call('context_status'),
    onDone(data) {
      call('done')();
      last = data.seq;
    },
    onError: call('error'),
    onInputDisabled: call('input_disabled'),
  });
  expect(called).toEqual([
    'init',
    'thinking',
    'assistant',
    'tool_call',
    'tool_result',
    'assistant',
    'title',
    'context_status',
    'done',
  ]);
  await waitFor(() => expect(hook().isStreaming).toBe(false), patience);
  expect(hook()).toMatchObject({
    currentText: 'I look. Done.',
    thinkingText: 'よく考える。',
    status: 'success',
    error: null,
    lastSeq: last,
    tools: expect.arrayContaining(['Read']),
    sessionId: expect.stringMatching(/./),
    usage: { total_tokens: 308 },
  });
  expect(hook().pendingTools.size).toBe(0);
});

test('R002-44.9,11 a model that finds the conversation too long disables the input', async () => {
  world().answer([{ status: 413 }]);
  const hook = await hookOf('long');
  const [onError, onInputDisabled] = [vi.fn<() => void>(), vi.fn<() => void>()];
  await hook().execute(request, { onError, onInputDisabled });
  const message = expect.stringMatching(/./);
  expect(onError.mock.calls).toEqual([[message, false]]);
  expect(onInputDisabled.mock.calls).toEqual([[true, message]]);
  await waitFor(() => expect(hook()).toMatchObject({ status: 'error', isStreaming: false }), patience);
});

test('R002-45.5 X002-9.8 a conversation that is busy can be tried again, and one that cannot be named is an HTTP error', async () => {
  const held = new Deferred<void>();
  world().answer([{ text: 'The first answer.', midway: held.promise }]);
  const [first, second, nowhere] = [await hookOf('busy'), await hookOf('busy'), await hookOf('not an id')];
  const running = first().execute(request);
  await world().untilRequests(1);
  const onError = vi.fn<() => void>();
  await second().execute(request, { onError });
  expect(onError.mock.calls).toEqual([[expect.stringMatching(/./), true]]);
  await nowhere().execute(request, { onError });
  expect(onError.mock.calls.slice(1)).toEqual([['HTTP error: 400', false]]);
  held.resolve();
  await running;
  await waitFor(
    () => expect(first()).toMatchObject({ currentText: 'The first answer.', status: 'success' }),
    patience,
  );
});

test('R002-6 R002-45.7,8 its cancel leaves without an error, and the run goes on to its end', async () => {
  const held = new Deferred<void>();
  world().answer([{ text: 'The whole answer.', midway: held.promise }]);
  const hook = await hookOf('left');
  const onError = vi.fn<() => void>();
  const running = hook().execute(request, { onError });
  await world().untilRequests(1);
  hook().cancel();
  await running;
  expect(onError).not.toHaveBeenCalled();
  await waitFor(() => expect(hook()).toMatchObject({ isStreaming: false, error: null }), patience);
  held.resolve();
  const read = await fetch(`/api/tenants/${tenantId}/conversations/left/stream`, {});
  expect(await read.text()).toContain('"result":"The whole answer."');
});

const patience = { timeout: 20_000 };

function element(): object {
  const made = document.createElement('div');
  document.body.append(made);
  return made;
}

async function hookOf(conversationId: string): Promise<() => SpecifiedHook> {
  let hook: SpecifiedHook | undefined;
  const remove = client.showHook(element(), { tenantId, conversationId }, (next) => (hook = next));
  const before = removed;
  removed = () => {
    remove();
    before();
  };
  await waitFor(() => expect(hook).toBeDefined(), patience);
  return () => {
    if (hook === undefined) throw new Error('the hook is not shown');
    return hook;
  };
}
