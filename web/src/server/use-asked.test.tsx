// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ServerProvider } from './server-context.tsx';
import { useAsked } from './use-asked.ts';

afterEach(cleanup);

/** Counts the requests. */
function asking() {
  let asked = 0;
  const ask = async () => (asked += 1);
  const reader = { isLoggedOut: false };
  const choice = { forget: () => undefined, logOut: async () => undefined };
  const session = { tenant: 't', version: '1' };
  const { result, rerender } = renderHook((news: string) => useAsked(ask, news), {
    initialProps: 'first',
    wrapper: ({ children }) => (
      <ServerProvider {...{ session, choice }} isLoggedOut={reader.isLoggedOut}>
        {children}
      </ServerProvider>
    ),
  });
  const tell = (news: string, isLoggedOut: boolean) => {
    reader.isLoggedOut = isLoggedOut;
    rerender(news);
  };
  return { count: () => asked, tell, reload: () => result.current.reload() };
}

test('the server is asked once at first, and once for each piece of news', () => {
  const { count, tell, reload } = asking();
  expect(count()).toBe(1);
  tell('first', false);
  expect(count()).toBe(1);
  tell('second', false);
  expect(count()).toBe(2);
  reload();
  expect(count()).toBe(3);
});

test('no request is sent while the reader is logged out, and one after the next login', () => {
  const { count, tell, reload } = asking();
  tell('first', true);
  reload();
  tell('second', true);
  expect(count()).toBe(1);
  tell('second', false);
  expect(count()).toBe(2);
});
