// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useCallback } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { AwayNotice } from '../shell/away-notice.tsx';
import { FailureLine } from './failure-line.tsx';
import { ServerProvider } from './server-context.tsx';
import { useAsked } from './use-asked.ts';

afterEach(cleanup);

/** A page with two parts, whose server answers as `answer` does. */
function openPage(answer: () => Promise<string>): void {
  const choice = { forget: () => undefined, logOut: async () => undefined };
  render(
    <ServerProvider session={{ tenant: 't', version: '1' }} choice={choice} isLoggedOut={false}>
      <AwayNotice />
      <Part answer={answer} />
      <Part answer={answer} />
    </ServerProvider>,
  );
}

function Part({ answer }: { readonly answer: () => Promise<string> }) {
  const { value, failure, reload } = useAsked(useCallback(() => answer(), [answer]));
  return (
    <section>
      <output>{value}</output>
      <button type="button" onClick={reload}>
        Load
      </button>
      {failure !== null && <FailureLine failure={failure} onAgain={reload} />}
    </section>
  );
}

function shown(): readonly (string | null)[] {
  return screen.getAllByRole('status').map(({ textContent }) => textContent);
}

test('a lost server is one notice that says what is kept; the parts stay, and all of them are read again when it is back', async () => {
  let answer = 'old';
  openPage(async () => {
    if (answer === 'away') throw new TypeError('Failed to fetch');
    return answer;
  });
  await vi.waitFor(() => expect(shown()).toEqual(['old', 'old']));
  answer = 'away';
  for (const button of screen.getAllByRole('button', { name: 'Load' })) fireEvent.click(button);
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain('What you have typed is kept in this tab.');
  expect(shown()).toEqual(['old', 'old']);
  answer = 'new';
  fireEvent.click(screen.getByRole('button', { name: 'Connect again' }));
  await vi.waitFor(() => expect(shown()).toEqual(['new', 'new']));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('one part that is answered again brings the others back', async () => {
  let isAway = true;
  openPage(async () => {
    if (isAway) throw new TypeError('Failed to fetch');
    return 'new';
  });
  await screen.findByRole('alert');
  isAway = false;
  const [first] = screen.getAllByRole('button', { name: 'Load' });
  if (first !== undefined) fireEvent.click(first);
  await vi.waitFor(() => expect(shown()).toEqual(['new', 'new']));
});

test('a refusal of the server is shown at its part', async () => {
  openPage(() => Promise.reject(new Error('the answer is not a list')));
  await vi.waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
  expect(screen.queryByText('Connect again')).toBeNull();
});
