// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useKeptFocus } from './kept-focus.ts';

afterEach(cleanup);

interface PageProps {
  readonly part: 'button' | 'disabled' | 'none' | 'other' | 'another page';
  readonly role?: string;
}

function Page({ part, role }: PageProps) {
  useKeptFocus();
  if (part === 'other') return <main tabIndex={-1}>other</main>;
  if (part === 'another page') {
    return (
      <main tabIndex={-1} key="another">
        another
      </main>
    );
  }
  return (
    <main tabIndex={-1} className="first">
      <section aria-label="its place" role={role}>
        {part !== 'none' && (
          <p>
            <button disabled={part === 'disabled'}>it</button>
          </p>
        )}
      </section>
    </main>
  );
}

test.each([
  ['is taken away', 'none', 'SECTION'],
  ['can be used no more', 'disabled', 'SECTION'],
  ['goes with the whole view', 'other', 'MAIN'],
  ['goes with the whole page', 'another page', 'MAIN'],
] as const)(
  'what has the focus and %s leaves it to the nearest place that stays',
  async (_what, part, place) => {
    const { rerender } = render(<Page part="button" />);
    screen.getByRole('button').focus();
    rerender(<Page part={part} />);
    await waitFor(() => expect(document.activeElement?.tagName).toBe(place));
  },
);

test('a place that is too large to show the focus passes it to its substitute', async () => {
  const { rerender } = render(<LargePage isAsking />);
  screen.getByRole('button').focus();
  rerender(<LargePage isAsking={false} />);
  await waitFor(() => expect(document.activeElement?.id).toBe('how-it-stands'));
});

function LargePage({ isAsking }: { readonly isAsking: boolean }) {
  useKeptFocus();
  return (
    <article data-focus-at="how-it-stands">
      <p id="how-it-stands">ended</p>
      {isAsking && <button>it</button>}
    </article>
  );
}

test('a browser that has already removed the focus makes no difference', async () => {
  const { rerender } = render(<Page part="button" />);
  screen.getByRole('button').focus();
  // jsdom leaves this to the test.
  screen.getByRole('button').blur();
  rerender(<Page part="disabled" />);
  await waitFor(() => expect(document.activeElement?.tagName).toBe('SECTION'));
});

test('an alert dialog that closes returns the focus by itself', async () => {
  const { rerender } = render(<Page part="button" role="alertdialog" />);
  screen.getByRole('button').focus();
  rerender(<Page part="none" role="alertdialog" />);
  await Promise.resolve();
  expect(document.activeElement).toBe(document.body);
});

test('a focus that was not lost stays away, as after a click on the background', async () => {
  const { rerender } = render(<Page part="button" />);
  screen.getByRole('button').focus();
  screen.getByRole('button').blur();
  document.body.append(document.createElement('p'));
  rerender(<Page part="button" />);
  await Promise.resolve();
  expect(document.activeElement).toBe(document.body);
});
