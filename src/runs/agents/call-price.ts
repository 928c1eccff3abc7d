/** Requires agents that report the price of a call if the budget is in dollars. */
import { CollabError } from '../../errors/collab-error.ts';
import type { ProviderEnvironment, TokenPrice } from '../../providers/contract/contract.ts';
import { loadProvider, type ProviderChoice } from '../../providers/contract/registry.ts';
import { caller, user } from './lead-choice.ts';

/** Participants whose turns are not calls to a model. */
const unpaid: ReadonlySet<string> = new Set([caller, user]);

/**
 * Returns the highest price of the agents as far as it is known before a call; null if it is unknown or no budget in
 * dollars is set. Starts no model turn. @throws CollabError `usage` naming the agent and `--budget-tokens`
 */
export async function priceOfCalls(
  budgetUsd: number | null,
  agents: readonly ProviderChoice[],
  environment: ProviderEnvironment,
): Promise<TokenPrice | null> {
  if (budgetUsd === null) return null;
  let dearest: TokenPrice | null = null;
  for (const { provider: name, model } of agents) {
    if (unpaid.has(name)) continue;
    const provider = await loadProvider(name, environment.settings);
    const price = await provider.price?.(model, environment);
    if (price === undefined || price === null) {
      throw new CollabError(
        'usage',
        `${name} reports no price of its calls, so $${budgetUsd} cannot be enforced`,
        {
          hint: 'set the budget in tokens: --budget-tokens 200000 (budget_tokens in collab.config.yaml), or in calls: --budget-calls 12',
          details: { provider: name },
        },
      );
    }
    if (price !== 'told_after') dearest = dearerOf(price, dearest);
  }
  return dearest;
}

function dearerOf(price: TokenPrice, other: TokenPrice | null): TokenPrice {
  if (other === null) return price;
  return { input: Math.max(price.input, other.input), output: Math.max(price.output, other.output) };
}
