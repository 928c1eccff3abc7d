// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useKeptFocus } from './kept-focus.ts';

afterEach(cleanup);

function Page({ part }: { readonly part: 'button' | 'disabled' | 'none' | 'other' }) {
  useKeptFocus();
  if (part === 'other') return <main tabIndex={-1}>other</main>;
  return (
    <main tabIndex={-1} className="first">
      <section aria-label="its place">
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
] as const)(
  'what has the focus and %s leaves it to the nearest place that stays',
  async (_what, part, place) => {
    const { rerender } = render(<Page part="button" />);
    screen.getByRole('button').focus();
    rerender(<Page part={part} />);
    await waitFor(() => expect(document.activeElement?.tagName).toBe(place));
  },
);

test('a focus that nothing was taken from stays away, as where somebody has clicked beside everything', async () => {
  const { rerender } = render(<Page part="button" />);
  screen.getByRole('button').focus();
  screen.getByRole('button').blur();
  document.body.append(document.createElement('p'));
  rerender(<Page part="button" />);
  await Promise.resolve();
  expect(document.activeElement).toBe(document.body);
});
