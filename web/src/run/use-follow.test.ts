// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useFollow } from './use-follow.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test.each([
  ['at the end of the run is shown what it asks', true, 1],
  ['elsewhere in the run is left in peace when it asks', false, 0],
])('who is %s', (_who, isNear, times) => {
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('innerHeight', isNear ? 768 : -1000);
  const question = document.createElement('section');
  question.className = 'open-questions';
  let shown = 0;
  question.scrollIntoView = () => {
    shown += 1;
  };
  document.body.append(question);
  const { rerender } = renderHook((isAsked: boolean) => useFollow({ isLive: true, news: isAsked, isAsked }), {
    initialProps: false,
  });
  act(() => void dispatchEvent(new Event('scroll')));
  rerender(true);
  expect(shown).toBe(times);
});

function placed({ isNear }: { readonly isNear: boolean }): void {
  vi.stubGlobal('innerHeight', isNear ? 768 : -1000);
}

test('a reader that begins at the end never sees that there is more', () => {
  vi.stubGlobal('scrollTo', () => {});
  placed({ isNear: true });
  const seen: boolean[] = [];
  renderHook(() => seen.push(useFollow({ isLive: true, news: 1, isAsked: false }).isBehind));
  expect(seen).not.toContain(true);
});

test('120 pixels above the end is elsewhere', () => {
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('innerHeight', -119);
  const { result, rerender } = renderHook(
    (news: number) => useFollow({ isLive: true, news, isAsked: false }),
    {
      initialProps: 1,
    },
  );
  expect(result.current.isBehind).toBe(false);
  vi.stubGlobal('innerHeight', -120);
  rerender(2);
  expect(result.current.isBehind).toBe(true);
});

test('who is elsewhere in a live run may follow it, and the page then scrolls with each entry', () => {
  let scrolls = 0;
  vi.stubGlobal('scrollTo', () => (scrolls += 1));
  placed({ isNear: false });
  const { result, rerender } = renderHook(
    (news: number) => useFollow({ isLive: true, news, isAsked: false }),
    {
      initialProps: 1,
    },
  );
  expect([result.current.isBehind, scrolls]).toEqual([true, 0]);
  act(() => result.current.follow());
  expect([result.current.isBehind, scrolls]).toEqual([false, 1]);
  rerender(2);
  expect(scrolls).toBe(2);
  act(() => void dispatchEvent(new Event('scroll')));
  expect(result.current.isBehind).toBe(true);
});

test('a run that has ended is not followed', () => {
  let scrolls = 0;
  vi.stubGlobal('scrollTo', () => (scrolls += 1));
  placed({ isNear: false });
  const { result, rerender } = renderHook(
    (isLive: boolean) => useFollow({ isLive, news: 1, isAsked: false }),
    {
      initialProps: true,
    },
  );
  act(() => result.current.follow());
  expect(scrolls).toBe(1);
  rerender(false);
  act(() => void dispatchEvent(new Event('scroll')));
  rerender(true);
  expect(scrolls).toBe(2);
  expect(result.current.isBehind).toBe(false);
});
