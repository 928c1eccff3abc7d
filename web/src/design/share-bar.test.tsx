// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ShareBar, type Share } from './share-bar.tsx';

afterEach(cleanup);

test('the parts follow each other and fill the bar', () => {
  const shares = [
    { name: 'reviewed', value: 6 },
    { name: 'skipped', value: 1 },
    { name: 'failed', value: 1 },
  ];
  expect(partsOf(shares)).toEqual([
    ['reviewed', 0, 75],
    ['skipped', 75, 12.5],
    ['failed', 87.5, 12.5],
  ]);
});

test('nothing to share is an empty bar', () => {
  expect(partsOf([])).toEqual([]);
  expect(partsOf([{ name: 'reviewed', value: 0 }])).toEqual([['reviewed', 0, 0]]);
});

function partsOf(shares: readonly Share[]): readonly (readonly unknown[])[] {
  const { container } = render(<ShareBar shares={shares} />);
  return [...container.querySelectorAll('rect')].map((part) => [
    part.getAttribute('class'),
    Number(part.getAttribute('x')),
    Number(part.getAttribute('width')),
  ]);
}
