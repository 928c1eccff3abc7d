/** Requires agents that report the price of a call if the budget is in dollars. */
import { CollabError } from '../../errors/collab-error.ts';
import type { CallPrice, ProviderEnvironment, TokenPrice } from '../../providers/contract/contract.ts';
import { loadProvider, type ProviderChoice } from '../../providers/contract/registry.ts';
import { caller, user } from './lead-choice.ts';

/** Participants whose turns are not calls to a model. */
const unpaid: ReadonlySet<string> = new Set([caller, user]);

/**
 * Returns the highest price of the agents as far as it is known before a call, otherwise null. Starts no model turn.
 * @throws CollabError `usage` naming the agent and `--budget-tokens`, if a budget cannot be enforced
 */
export async function priceOfCalls(
  budgetUsd: number | null,
  agents: readonly ProviderChoice[],
  environment: ProviderEnvironment,
): Promise<TokenPrice | null> {
  // Without a budget, no price is needed: an agent with a fault reports it when it is opened.
  if (budgetUsd === null) return expectedPrice(agents, environment).catch(() => null);
  let dearest: TokenPrice | null = null;
  for (const agent of agents.filter(isPaid)) {
    const price = await priceOf(agent, environment);
    if (price === null) {
      throw new CollabError(
        'usage',
        `${agent.provider} reports no price of its calls, so $${budgetUsd} cannot be enforced`,
        {
          hint: 'set the budget in tokens: --budget-tokens 200000 (budget_tokens in collab.config.yaml), or in calls: --budget-calls 12',
          details: { provider: agent.provider },
        },
      );
    }
    if (price !== 'told_after') dearest = dearerOf(price, dearest);
  }
  return dearest;
}

/** Returns the highest price of the agents; null if the price of one is unknown before a call. Starts no model turn. */
export async function expectedPrice(
  agents: readonly ProviderChoice[],
  environment: ProviderEnvironment,
): Promise<TokenPrice | null> {
  let dearest: TokenPrice | null = null;
  for (const agent of agents.filter(isPaid)) {
    const price = await priceOf(agent, environment);
    if (price === null || price === 'told_after') return null;
    dearest = dearerOf(price, dearest);
  }
  return dearest;
}

function isPaid({ provider }: ProviderChoice): boolean {
  return !unpaid.has(provider);
}

async function priceOf(
  { provider: name, model }: ProviderChoice,
  environment: ProviderEnvironment,
): Promise<CallPrice | null> {
  const provider = await loadProvider(name, environment.settings);
  return (await provider.price?.(model, environment)) ?? null;
}

function dearerOf(price: TokenPrice, other: TokenPrice | null): TokenPrice {
  if (other === null) return price;
  return { input: Math.max(price.input, other.input), output: Math.max(price.output, other.output) };
}
