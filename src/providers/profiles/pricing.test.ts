import { expect, test } from 'vitest';
import type { Usage } from '../../events/collab-event.ts';
import { priced, type Pricing } from './pricing.ts';
import { readProfiles } from './profile-folder.ts';
import { shippedProfileDir } from './shipped-profiles.ts';

const pricing: Pricing = { input_per_1m_tokens: 3, output_per_1m_tokens: 15, currency: 'USD' };
const usage: Usage = {
  model: 'm',
  input: 1000,
  output: 200,
  cache_read: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  cost: null,
  cost_basis: 'unknown',
};
const cached: Usage = { ...usage, cache_read: 10_000, cache_write_5m: 1000, cache_write_1h: 100 };

test('R003-43.1 a call costs what its profile says of a million tokens', () => {
  expect(priced(usage, pricing)).toEqual({ ...usage, cost: 0.006, cost_basis: 'profile' });
});

test('X003-12.2 prices of the cache that are missing are taken from that of the input, and said to be', () => {
  // 0.006 + 10,000 × 0.3 + 1,000 × 3.75 + 100 × 6, all for a million
  expect(priced(cached, pricing)).toMatchObject({ cost: 0.01335, cost_basis: 'estimated' });
});

test('X003-12.1 prices of the cache that the profile has are taken', () => {
  const whole = {
    ...pricing,
    cache_read_per_1m_tokens: 1,
    cache_write_5m_per_1m_tokens: 2,
    cache_write_1h_per_1m_tokens: 4,
  };
  expect(priced(cached, whole)).toMatchObject({ cost: 0.0184, cost_basis: 'profile' });
});

test('X002-23.1 a price with digits that a fraction of two has not is exact', () => {
  const odd = { input_per_1m_tokens: 0.075, output_per_1m_tokens: 0.3, currency: 'USD' };
  expect(priced({ ...usage, input: 1, output: 0 }, odd).cost).toBe(0.000000075);
  expect(priced({ ...usage, input: 3, output: 1 }, odd).cost).toBe(0.000000525);
});

test.each([undefined, { ...pricing, currency: 'JPY' }])(
  'without a price in dollars the cost is unknown: %j',
  (prices) => {
    expect(priced({ ...usage, cost: 1, cost_basis: 'reported' }, prices)).toMatchObject({
      cost: null,
      cost_basis: 'unknown',
    });
  },
);

/**
 * Prices as of 2026-11-22; the `notes` of each profile name the source. A model whose price depends on the length or
 * the kind of its input has none: an incomplete price would be wrong.
 */
test('R003-43.1 the prices that ship are those that were looked up', () => {
  const told = ['anthropic', 'openai', 'gemini', 'codex', 'claude_code'].flatMap((name) =>
    readProfiles(shippedProfileDir(name), name).flatMap(({ profile }) =>
      profile?.pricing === undefined ? [] : [[profile.basic_info.id, ...Object.values(profile.pricing)]],
    ),
  );
  expect(told).toEqual([
    ['claude-haiku-4-5', 1, 5, 'USD', 0.1, 1.25, 2],
    ['claude-opus-5-5', 4, 20, 'USD', 0.2, 5, 8],
    ['claude-opus-5', 5, 25, 'USD', 0.5, 6.25, 10],
    ['claude-sonnet-5-5', 2, 10, 'USD', 0.1, 2.5, 4],
    ['claude-sonnet-5', 2, 10, 'USD', 0.2, 2.5, 4],
    ['gpt-4.1', 2, 8, 'USD', 0.5],
    ['gpt-5-mini', 0.25, 2, 'USD', 0.025],
    ['gpt-5', 1.25, 10, 'USD', 0.125],
  ]);
});

test('every profile with a price names its source, and every other one says why it has none', () => {
  const all = ['anthropic', 'openai', 'gemini'].flatMap((name) =>
    readProfiles(shippedProfileDir(name), name).map(({ fileName, profile }) => ({
      fileName,
      priced: profile?.pricing !== undefined,
      notes: profile?.notes ?? {},
    })),
  );
  expect(all.filter((profile) => !('source' in profile.notes && 'seen' in profile.notes))).toEqual([]);
  expect(all.filter((profile) => !profile.priced && !('pricing' in profile.notes))).toEqual([]);
});
