import type { Usage } from '../events/collab-event.ts';
import { addCost } from '../events/cost.ts';
import { addTokens } from '../events/tokens.ts';

/** What two turns used together. A price that one of them lacks is unknown for both. */
export function addUsage(one: Usage | null, other: Usage | null): Usage | null {
  if (one === null || other === null) return one ?? other;
  return {
    model: other.model,
    ...addTokens(one, other),
    cost: addCost(one.cost, other.cost),
    cost_basis: one.cost_basis === other.cost_basis ? one.cost_basis : 'unknown',
  };
}
