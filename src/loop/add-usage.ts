import type { Usage } from '../events/collab-event.ts';
import { addCost } from '../events/cost.ts';
import { addTokens } from '../events/tokens.ts';

/** Adds up the usage of two turns. The price is unknown if either turn lacks it. */
export function addUsage(one: Usage | null, other: Usage | null): Usage | null {
  if (one === null || other === null) return one ?? other;
  return {
    model: other.model,
    ...addTokens(one, other),
    cost: addCost(one.cost, other.cost),
    cost_basis: one.cost_basis === other.cost_basis ? one.cost_basis : 'unknown',
  };
}
