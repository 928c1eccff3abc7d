/** The budget flags of every command that starts a run. */
import type { Command } from 'commander';
import { most, type Settings } from '../../config/settings.ts';
import type { StartDefaults } from '../../runs/start/start-request.ts';
import { takesAmount, takesCount } from './flag-values.ts';

export type BudgetFlags = Pick<StartDefaults, 'budgetUsd' | 'budgetTokens' | 'budgetCalls'>;

type BudgetSettings = Pick<Settings, 'budgetUsd' | 'budgetTokens' | 'budgetCalls'>;

export function addBudgetFlags(command: Command): Command {
  return command
    .option('--budget-usd <n>', 'limit the cost of all calls, in US dollars', takesAmount('--budget-usd'))
    .option(
      '--budget-tokens <n>',
      'limit the tokens of all calls, of every kind',
      takesCount('--budget-tokens', most.budgetTokens),
    )
    .option(
      '--budget-calls <n>',
      'limit the number of agent calls, including repeats',
      takesCount('--budget-calls', most.budgetCalls),
    );
}

/** Returns the budget; flags win over the configuration. */
export function budgetOf(flags: BudgetFlags, config: Settings): BudgetSettings {
  return {
    budgetUsd: flags.budgetUsd ?? config.budgetUsd,
    budgetTokens: flags.budgetTokens ?? config.budgetTokens,
    budgetCalls: flags.budgetCalls ?? config.budgetCalls,
  };
}
