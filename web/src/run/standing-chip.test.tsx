// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Announcer } from './announcer.tsx';
import { StandingChip } from './standing-chip.tsx';
import type { Standing } from './standing-of.ts';

afterEach(cleanup);

const ended = (end: NonNullable<Standing['end']>) => ({ state: 'ended', end }) as const;

test.each([
  ['clean', ended({ outcome: 'clean', status: 'success' }), 'badge good', 'Clean'],
  ['failed', ended({ outcome: 'failed', status: 'error' }), 'badge red', 'Failed'],
  ['cancelled', ended({ outcome: 'incomplete', status: 'cancelled' }), 'badge red', 'Cancelled'],
  ['ended with an error', ended({ outcome: null, status: 'error' }), 'badge red', 'Ended with an error'],
  ['interrupted', { state: 'interrupted', end: null } as const, 'badge yellow', 'Interrupted: not finished'],
])('a run that is %s says so in its tone', (_name, standing, tone, text) => {
  const chip = render(<StandingChip {...standing} />).container.querySelector('.badge');
  expect([chip?.className, chip?.textContent]).toEqual([tone, text]);
});

test('a screen reader gets the chip’s text for a canceled run', () => {
  const standing: Standing = {
    ...ended({ outcome: 'incomplete', status: 'cancelled' }),
    canGoOn: false,
  };
  render(<Announcer run={{ questions: [], phases: [] }} standing={standing} />);
  expect(screen.getByRole('status').textContent).toContain('Cancelled');
});
