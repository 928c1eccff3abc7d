/** A budget in dollars needs agents that tell what a call costs. */
import { CollabError } from '../errors/collab-error.ts';
import type { ProviderEnvironment } from '../providers/contract.ts';
import { loadProvider } from '../providers/registry.ts';
import { caller, user } from './lead-choice.ts';

/** Their turns are nobody's calls. */
const unpaid: ReadonlySet<string> = new Set([caller, user]);

export interface ChosenAgent {
  readonly provider: string;
  readonly model: string | null;
}

/** Starts no model turn. @throws CollabError `usage` naming the agent and `--budget-tokens` */
export async function refuseUnpriced(
  budgetUsd: number | null,
  agents: readonly ChosenAgent[],
  environment: ProviderEnvironment,
): Promise<void> {
  if (budgetUsd === null) return;
  for (const { provider: name, model } of agents) {
    if (unpaid.has(name)) continue;
    const provider = await loadProvider(name, environment.settings);
    if ((await provider.priced?.(model, environment)) === true) continue;
    throw new CollabError(
      'usage',
      `${name} tells no price of its calls, so $${budgetUsd} cannot be watched`,
      {
        hint: 'set the budget in tokens: --budget-tokens 200000 (budget_tokens in collab.config.yaml), or in calls: --budget-calls 12',
        details: { provider: name },
      },
    );
  }
}
