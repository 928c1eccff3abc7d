// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ForeignText } from './foreign-text.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test.each(['scrollHeight', 'scrollWidth'] as const)(
  'a text with a part out of sight because of its %s is a tab stop, with a name',
  (size) => {
    vi.spyOn(Element.prototype, size, 'get').mockReturnValue(1);
    render(<ForeignText text="long" label="Output" />);
    expect(screen.getByRole('group', { name: 'Output' }).tabIndex).toBe(0);
  },
);

test('a text that outgrows its box becomes a tab stop; one that fits is none', () => {
  const view = render(<ForeignText text="a" label="Output" />);
  expect(screen.getByText('a').hasAttribute('tabindex')).toBe(false);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(1);
  view.rerender(<ForeignText text="ab" label="Output" />);
  expect(screen.getByRole('group').tabIndex).toBe(0);
});
