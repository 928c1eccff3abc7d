import type { BudgetLimits } from './budget.ts';
import type { RunInput } from './run-input.ts';

export function budgetLimitsOf({ settings }: Pick<RunInput, 'settings'>): BudgetLimits {
  return { usd: settings.budget_usd, tokens: settings.budget_tokens, calls: settings.budget_calls };
}
