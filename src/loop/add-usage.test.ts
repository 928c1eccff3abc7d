import { expect, test } from 'vitest';
import type { Usage } from '../events/collab-event.ts';
import { addUsage } from './add-usage.ts';

const used = {
  model: 'm',
  input: 10,
  output: 5,
  reasoning: 1,
  cache_read: 2,
  cache_write_5m: 1,
  cache_write_1h: 3,
};
const priced: Usage = { ...used, cost: 0.1, cost_basis: 'profile' };
const reported: Usage = { ...priced, cost_basis: 'reported' };
const unpriced: Usage = { ...used, cost: null, cost_basis: 'unknown' };

test('the usage of two turns is added field by field, under the model of the second', () => {
  expect(addUsage(priced, { ...priced, model: 'other', cost: 0.2 })).toEqual({
    model: 'other',
    input: 20,
    output: 10,
    reasoning: 2,
    cache_read: 4,
    cache_write_5m: 2,
    cache_write_1h: 6,
    cost: 0.3,
    cost_basis: 'profile',
  });
});

test('a turn without usage adds nothing', () => {
  expect(addUsage(null, priced)).toBe(priced);
  expect(addUsage(priced, null)).toBe(priced);
  expect(addUsage(null, null)).toBeNull();
});

test('the price is unknown if either turn lacks it, and its basis if they differ', () => {
  expect(addUsage(priced, unpriced)).toMatchObject({ cost: null, cost_basis: 'unknown' });
  expect(addUsage(unpriced, priced)).toMatchObject({ cost: null, cost_basis: 'unknown' });
  expect(addUsage(priced, reported)).toMatchObject({ cost: 0.2, cost_basis: 'unknown' });
});
