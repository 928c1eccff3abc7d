// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { LanguageProvider } from '../words/language.tsx';
import { remember } from '../remember.ts';
import { ChatInput } from './chat-input.tsx';
import { ContextBanner, contextOf } from './context-banner.tsx';
import { useDraft } from './use-draft.ts';

afterEach(cleanup);
afterEach(() => sessionStorage.clear());
afterEach(() => localStorage.clear());

describe('the context banner', () => {
  const streamed = { currentTokens: 1, maxTokens: 2, canContinue: true, message: 'it fills' };

  test.each([
    ['normal', null],
    ['warning', 'banner yellow'],
    ['critical', 'banner orange'],
  ] as const)(
    'R002-31.1-3 a context that is %s has the banner %s, as streamed or as kept',
    (level, banner) => {
      const kept = { usage_percent: 72.3, warning_level: level };
      const contextStatus = { ...streamed, usagePercent: 72.3, warningLevel: level };
      for (const context of [
        contextOf({ context: kept }, { contextStatus: null }),
        contextOf(null, { contextStatus }),
      ]) {
        const { container, unmount } = render(<ContextBanner context={context} isBlocked={false} />);
        expect(container.querySelector('.banner')?.className ?? null).toBe(banner);
        expect(container.textContent?.includes('72.3 %')).toBe(banner !== null);
        unmount();
      }
    },
  );

  test('the server’s context takes precedence over the stream’s', () => {
    const contextStatus = { ...streamed, usagePercent: 72.3, warningLevel: 'warning' } as const;
    const kept = { usage_percent: 90, warning_level: 'critical' } as const;
    expect(contextOf({ context: kept }, { contextStatus })).toEqual(kept);
    expect(contextOf({ context: null }, { contextStatus })?.warning_level).toBe('warning');
  });

  test('R002-33 a long conversation is said in the language of the page', () => {
    remember('language', 'ja');
    render(
      <LanguageProvider>
        <ContextBanner context={{ usage_percent: 72.3, warning_level: 'warning' }} isBlocked={false} />
      </LanguageProvider>,
    );
    expect(screen.getByRole('status').textContent).toContain(
      '会話が長くなっています。新しいチャットを開始することをおすすめします。',
    );
  });

  test('R002-31.4 R002-32.2 R002-40.1,3 a full one is red, says what to do in Japanese too, and leads to a new chat', () => {
    remember('language', 'ja');
    const { container } = render(
      <LanguageProvider>
        <ContextBanner context={null} isBlocked />
      </LanguageProvider>,
    );
    expect(container.querySelector('.banner')?.className).toBe('banner red');
    expect(screen.getByRole('alert').textContent).toContain('新しいチャットを開始してください');
    const way = screen.getByRole('link', { name: '新しいチャットを開始' });
    expect([way.getAttribute('href'), way.className]).toEqual(['#/new/conversation', 'button primary']);
  });
});

function inputOf(state: { isStreaming?: boolean; isBlocked?: boolean }) {
  const sent: string[] = [];
  const { isStreaming = false, isBlocked = false } = state;
  function Input() {
    const draft = useDraft('c');
    const onSend = (text: string) => {
      draft.hand();
      sent.push(text);
    };
    const [isFull, setFull] = useState(isBlocked);
    return (
      <>
        <button onClick={() => setFull(true)}>fill</button>
        <ContextBanner context={null} isBlocked={isFull} />
        <ChatInput
          {...{ draft, onSend }}
          isBlocked={isFull}
          streaming={{ isStreaming }}
          onCancel={() => undefined}
        />
      </>
    );
  }
  render(<Input />);
  const box = screen.getByLabelText<HTMLTextAreaElement>('Your message');
  const type = (value: string) => fireEvent.change(box, { target: { value } });
  return { sent, box, type };
}

function fill(): void {
  fireEvent.click(screen.getByText('fill'));
}

describe('the message input', () => {
  test('X002-D6.3 Enter sends once and empties it; with Shift it starts a new line', () => {
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

  test('R002-47.6,8 nothing empty is sent, and nothing while an answer is given', () => {
    const { sent, box, type } = inputOf({});
    type('   ');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(sent).toEqual([]);
    cleanup();
    expect(inputOf({ isStreaming: true }).box.disabled).toBe(true);
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDefined();
  });

  test('R002-32.1 a conversation that is full takes no input', () => {
    expect(inputOf({ isBlocked: true }).box.disabled).toBe(true);
    expect(screen.queryByText(/Enter sends/)).toBeNull();
  });

  test('when the conversation becomes full, focus in the input moves to the message about it', () => {
    const { box } = inputOf({});
    box.focus();
    fill();
    expect(document.activeElement).toBe(screen.getByRole('alert'));
  });

  test('a conversation that becomes full takes the focus from nowhere else', () => {
    inputOf({});
    screen.getByText('fill').focus();
    fill();
    expect(document.activeElement).toBe(screen.getByText('fill'));
  });
});
