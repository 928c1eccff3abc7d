// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { noTokens } from '../../../src/client/run-events.ts';
import { createRunFold } from '../fold/run-fold.ts';
import type { SpendingState, UsageState } from '../run-state.ts';
import { UsageTab } from './usage-tab.tsx';

afterEach(cleanup);

const phases = [
  { phase: 'design', ...spent(0.75, 100) },
  { phase: 'review', ...spent(0.25, 300) },
] as const;

test('cost is drawn by phase, agent and model, with widths of the largest', () => {
  show({
    total: spent(1, 400),
    byModel: [
      { role: 'lead', model: 'large', ...spent(0.75, 100) },
      { role: 'advisor', model: 'small', ...spent(0.25, 300) },
    ],
    byPhase: phases,
  });
  expect(chart('Cost by phase')).toEqual([
    ['Design', 100, '$0.75'],
    ['Review', 100 / 3, '$0.25'],
  ]);
  expect(chart('Cost by agent').map(([name]) => name)).toEqual(['lead', 'advisor']);
  expect(chart('Cost by model').map(([name]) => name)).toEqual(['large', 'small']);
});

test('a cost that is not wholly known is drawn as tokens', () => {
  // Reasoning is part of the output.
  const tokens = { ...noTokens, input: 200, output: 400, reasoning: 300 };
  const unpriced = { costUsd: null, calls: 1, tokens };
  const [design] = phases;
  show({ total: unpriced, byModel: [], byPhase: [design, { phase: 'review', ...unpriced }] });
  expect(chart('Tokens by phase')).toEqual([
    ['Design', 100 / 6, '100'],
    ['Review', 100, '600'],
  ]);
});

test('a chart of a single bar is left out, and models of one agent are one bar by agent', () => {
  show({
    total: spent(1, 2),
    byModel: [
      { role: 'lead', model: 'a', ...spent(0.5, 1) },
      { role: 'lead', model: 'b', ...spent(0.5, 1) },
    ],
    byPhase: [{ phase: 'design', ...spent(1, 2) }],
  });
  expect(
    screen.getAllByRole('figure').map((figure) => within(figure).getAllByRole('listitem').length),
  ).toEqual([2]);
  expect(chart('Cost by model').map(([name]) => name)).toEqual(['a', 'b']);
});

function spent(costUsd: number, input: number): SpendingState {
  return { costUsd, calls: 1, tokens: { ...noTokens, input } };
}

function show(usage: UsageState): void {
  render(<UsageTab run={{ ...createRunFold().current(), usage }} />);
}

/** The name, the width and the figure of each bar. */
function chart(label: string): readonly (readonly unknown[])[] {
  const figure = screen.getByText(label).closest('figure');
  if (figure === null) throw new Error(label);
  return within(figure)
    .getAllByRole('listitem')
    .map((bar) => [
      bar.firstChild?.textContent,
      Number(bar.querySelector('rect:last-child')?.getAttribute('width')),
      bar.lastChild?.textContent,
    ]);
}
