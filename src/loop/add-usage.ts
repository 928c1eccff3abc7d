import type { Usage } from '../events/collab-event.ts';

/** What two turns used together. A price that one of them lacks is unknown for both. */
export function addUsage(one: Usage | null, other: Usage | null): Usage | null {
  if (one === null || other === null) return one ?? other;
  return {
    model: other.model,
    input: one.input + other.input,
    output: one.output + other.output,
    cache_read: one.cache_read + other.cache_read,
    cache_write_5m: one.cache_write_5m + other.cache_write_5m,
    cache_write_1h: one.cache_write_1h + other.cache_write_1h,
    reasoning: (one.reasoning ?? 0) + (other.reasoning ?? 0),
    cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
    cost_basis: one.cost_basis === other.cost_basis ? one.cost_basis : 'unknown',
  };
}
