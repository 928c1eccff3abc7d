/** The budget flags of every command that starts a run. */
import type { Command } from 'commander';
import type { Settings } from '../../config/settings.ts';
import { takesAmount, takesCount } from './flag-values.ts';

export interface BudgetFlags {
  readonly budgetUsd?: number;
  readonly budgetTokens?: number;
  readonly budgetCalls?: number;
}

type BudgetSettings = Pick<Settings, 'budgetUsd' | 'budgetTokens' | 'budgetCalls'>;

const mostTokens = 1_000_000_000_000;
const mostCalls = 100_000;

export function addBudgetFlags(command: Command): Command {
  return command
    .option('--budget-usd <n>', 'what all calls may cost, in US dollars', takesAmount('--budget-usd'))
    .option(
      '--budget-tokens <n>',
      'what all calls may use, in tokens of every kind',
      takesCount('--budget-tokens', mostTokens),
    )
    .option(
      '--budget-calls <n>',
      'how many calls of agents there may be, repeated ones too',
      takesCount('--budget-calls', mostCalls),
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
