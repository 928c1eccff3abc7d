// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { ContextStatus } from '../../../src/client/streaming-state.ts';
import { LanguageProvider } from '../words/language.tsx';
import { remember } from '../remember.ts';
import { ChatInput } from './chat-input.tsx';
import { ContextBanner } from './context-banner.tsx';

afterEach(cleanup);

function contextAt(warningLevel: ContextStatus['warningLevel'], usagePercent: number): ContextStatus {
  const canContinue = warningLevel !== 'blocked';
  return { currentTokens: 1, maxTokens: 2, usagePercent, warningLevel, canContinue, message: 'it fills' };
}

describe('the banner of the context', () => {
  test.each([
    ['normal', null],
    ['warning', 'banner yellow'],
    ['critical', 'banner orange'],
  ] as const)('R002-31 a context that is %s has the banner %s', (level, banner) => {
    const { container } = render(
      <ContextBanner streaming={{ contextStatus: contextAt(level, 72.3) }} isBlocked={false} />,
    );
    expect(container.querySelector('.banner')?.className ?? null).toBe(banner);
  });

  test('R002-32 R002-40 a full one is red, says what to do in Japanese too, and leads to a new chat', () => {
    remember('language', 'ja');
    const { container } = render(
      <LanguageProvider>
        <ContextBanner streaming={{ contextStatus: null }} isBlocked />
      </LanguageProvider>,
    );
    expect(container.querySelector('.banner')?.className).toBe('banner red');
    expect(screen.getByRole('alert').textContent).toContain('新しいチャットを開始してください');
    const way = screen.getByRole('link', { name: '新しいチャットを開始' });
    expect([way.getAttribute('href'), way.className]).toEqual(['#/new/talk', 'button primary']);
    localStorage.clear();
  });
});

function inputOf(state: { isStreaming?: boolean; isBlocked?: boolean }) {
  const sent: string[] = [];
  const { isStreaming = false, isBlocked = false } = state;
  render(
    <ChatInput
      streaming={{ isStreaming }}
      isBlocked={isBlocked}
      onSend={(text) => sent.push(text)}
      onCancel={() => undefined}
    />,
  );
  const box = screen.getByLabelText<HTMLTextAreaElement>('Your message');
  const type = (value: string) => fireEvent.change(box, { target: { value } });
  return { sent, box, type };
}

describe('the place to say something', () => {
  test('Enter sends once and empties it; with Shift it begins a line', () => {
    const { sent, box, type } = inputOf({});
    type('hello');
    fireEvent.keyDown(box, { key: 'Enter', shiftKey: true });
    expect(sent).toEqual([]);
    fireEvent.keyDown(box, { key: 'Enter' });
    fireEvent.keyDown(box, { key: 'Enter' });
    expect([sent, box.value]).toEqual([['hello'], '']);
  });

  test('Enter that ends the choice of a Japanese word sends nothing', () => {
    const { sent, box, type } = inputOf({});
    type('こんにちは');
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
    expect(sent).toEqual([]);
  });

  test('R002-47 nothing empty is sent, and nothing while an answer is given', () => {
    const { sent, box, type } = inputOf({});
    type('   ');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(sent).toEqual([]);
    cleanup();
    expect(inputOf({ isStreaming: true }).box.disabled).toBe(true);
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDefined();
  });

  test('R002-32 a conversation that is full takes no input', () => {
    expect(inputOf({ isBlocked: true }).box.disabled).toBe(true);
  });
});
