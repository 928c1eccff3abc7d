import type { BudgetLimits } from './budget.ts';
import type { RunInput } from './run-input.ts';

/** Rules use no tokens. */
export function budgetLimitsOf({
  settings,
  advisor,
  lead,
}: Pick<RunInput, 'settings' | 'advisor' | 'lead'>): BudgetLimits {
  if (advisor.assurance === 'static' && lead === null) return { usd: null, tokens: null };
  return { usd: settings.budget_usd, tokens: settings.budget_tokens };
}
