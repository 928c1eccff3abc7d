/** Computes a call's exact cost by its model's profile (X002-23, X003-12). */
import { toPicodollars, toUsd } from '../../events/cost.ts';
import type { Usage } from '../../events/collab-event.ts';
import type { TokenPrice } from '../contract/contract.ts';
import type { ProviderUsage } from '../client/provider-event.ts';
import type { Profile } from './profile.ts';

export type Pricing = NonNullable<Profile['pricing']>;

type Tokens = Pick<Usage, 'input' | 'output' | 'cache_read' | 'cache_write_5m' | 'cache_write_1h'>;

/** Returns the usage with its cost. `estimated`: a cache price is missing, so the input price was used. */
export function priced(usage: Usage, pricing: Pricing | undefined): Usage {
  // An unknown price is never zero.
  if (pricing?.currency !== 'USD') return { ...usage, cost: null, cost_basis: 'unknown' };
  const parts = partsOf(usage, pricing).filter(({ count }) => count > 0);
  const millionths = parts.reduce((sum, { count, price }) => sum + BigInt(count) * price, 0n);
  return {
    ...usage,
    cost: toUsd((millionths + 500_000n) / 1_000_000n),
    cost_basis: parts.some(({ estimated }) => estimated) ? 'estimated' : 'profile',
  };
}

/** Returns the price known before a call; null if it is not in dollars. */
export function tokenPrice(pricing: Pricing | undefined): TokenPrice | null {
  if (pricing?.currency !== 'USD') return null;
  return { input: pricing.input_per_1m_tokens, output: pricing.output_per_1m_tokens };
}

/** Converts the usage reported by a client of specification 003. */
export function toUsage(told: ProviderUsage, model: string, pricing: Pricing | undefined): Usage {
  return priced(
    {
      model,
      input: told.input_tokens,
      output: told.output_tokens,
      cache_read: told.cache_read_tokens ?? 0,
      cache_write_5m: told.cache_write_5m_tokens ?? 0,
      cache_write_1h: told.cache_write_1h_tokens ?? 0,
      ...(told.reasoning_tokens === undefined ? {} : { reasoning: told.reasoning_tokens }),
      cost: null,
      cost_basis: 'unknown',
    },
    pricing,
  );
}

interface Part {
  readonly count: number;
  /** Picodollars for a million tokens. */
  readonly price: bigint;
  readonly estimated: boolean;
}

function partsOf(tokens: Tokens, pricing: Pricing): readonly Part[] {
  const input = toPicodollars(pricing.input_per_1m_tokens);
  return [
    { count: tokens.input, price: input, estimated: false },
    { count: tokens.output, price: toPicodollars(pricing.output_per_1m_tokens), estimated: false },
    cachePart(tokens.cache_read, pricing.cache_read_per_1m_tokens, input / 10n),
    cachePart(tokens.cache_write_5m, pricing.cache_write_5m_per_1m_tokens, (input * 5n) / 4n),
    cachePart(tokens.cache_write_1h, pricing.cache_write_1h_per_1m_tokens, input * 2n),
  ];
}

function cachePart(count: number, price: number | undefined, otherwise: bigint): Part {
  return price === undefined
    ? { count, price: otherwise, estimated: true }
    : { count, price: toPicodollars(price), estimated: false };
}
