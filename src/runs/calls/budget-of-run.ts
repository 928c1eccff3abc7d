import { createBudget, type Budget } from './budget.ts';
import type { RunInput } from '../folder/run-input.ts';

export function budgetOfRun({ settings, price }: Pick<RunInput, 'settings' | 'price'>): Budget {
  const limits = { usd: settings.budget_usd, tokens: settings.budget_tokens, calls: settings.budget_calls };
  return createBudget(limits, price);
}
