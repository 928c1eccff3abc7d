import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { canSend, Chat, ChatView } from './chat.tsx';
import { idleState, type StreamingState } from './streaming-state.ts';

const nothing = async () => undefined;

function markup(state: Partial<StreamingState>): string {
  const streaming = {
    ...idleState,
    ...state,
    execute: nothing,
    cancel: nothing,
    disconnect: () => undefined,
  };
  const deeds = { onInput: () => undefined, onSend: () => undefined, onNewChat: () => undefined };
  return renderToStaticMarkup(createElement(ChatView, { input: 'hello', streaming, ...deeds }));
}

const usage = {
  input_tokens: 1500,
  output_tokens: 500,
  cache_creation_5m_tokens: 0,
  cache_creation_1h_tokens: 0,
  cache_read_tokens: 0,
  total_tokens: 2000,
};

test('R002-47.2-5 shows the text, the thinking, the error and the usage', () => {
  const html = markup({ currentText: 'an answer', thinkingText: 'hm', error: 'it broke', usage });
  expect(html).toContain('<div class="assistant">an answer</div>');
  expect(html).toContain('<strong>思考中:</strong> hm');
  expect(html).toContain('<div class="error">it broke</div>');
  expect(html).toContain('Tokens: 2000');
  expect(html).not.toContain('Cancel');
});

test('R002-47.1,6,7 a run disables the input, counts its tools and can be cancelled', () => {
  const call = { seq: 1, timestamp: '', tool_use_id: 'c', tool_name: 'Read', input: {}, summary: '' };
  const html = markup({ isStreaming: true, pendingTools: new Map([['c', call]]) });
  expect(html).toContain('ツール実行中: 1');
  expect(html).toMatch(/<input disabled=""/);
  expect(html).toContain('Sending...');
  expect(html).toContain('Cancel');
});

test('an idle conversation takes input, and shows no part that is empty', () => {
  const html = markup({});
  expect(html).not.toContain('disabled');
  expect(html).toContain('<div class="messages"></div>');
  for (const part of ['thinking', 'error', 'usage', 'progress', 'banner']) {
    expect(html).not.toContain(`class="${part}`);
  }
  expect(markup({ isStreaming: true })).not.toContain('class="progress"');
});

test('R002-47.1 a run, or a full context, disables the button as well', () => {
  for (const state of [{ isStreaming: true }, { isInputDisabled: true }])
    expect(markup(state)).toMatch(/<button type="button" disabled=""/);
});

test.each([
  ['', false, false, false],
  ['  ', false, false, false],
  ['hello', true, false, false],
  ['hello', false, true, false],
  ['hello', false, false, true],
])('R002-47.8 sends %j (streaming %s, disabled %s): %s', (input, isStreaming, isInputDisabled, sends) => {
  expect(canSend(input, { isStreaming, isInputDisabled })).toBe(sends);
});

test.each([
  ['normal', null],
  ['warning', 'banner yellow'],
  ['critical', 'banner orange'],
] as const)('R002-31.1-3 a context that is %s has the banner %s', (warningLevel, banner) => {
  const contextStatus = {
    currentTokens: 1,
    maxTokens: 2,
    usagePercent: 50,
    warningLevel,
    canContinue: true,
    message: 'it fills',
  };
  expect(/class="(banner [a-z]+)"/.exec(markup({ contextStatus }))?.[1] ?? null).toBe(banner);
});

test('R002-31.4 R002-32.1,2 R002-40 a conversation that cannot go on says what to do, and takes no input', () => {
  const html = markup({ isInputDisabled: true });
  expect(html).toContain('新しいチャットを開始してください');
  expect(html).toContain('banner red');
  expect(html).toContain('class="emphasised"');
  expect(html).toMatch(/<input disabled=""/);
});

test('R002-43.1 the hook begins idle, on a server too', () => {
  const executor = { user_id: 'user-001', name: 'User', email: 'user@example.com' };
  const html = renderToStaticMarkup(createElement(Chat, { tenantId: 't', conversationId: 'c', executor }));
  expect(html).toContain('>Send</button>');
});
