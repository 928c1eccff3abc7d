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
