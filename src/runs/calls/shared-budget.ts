/** A run's budget beside the limits that the run shares with others: a call needs room in both. */
import { addCost } from '../../events/cost.ts';
import type { CallLedger } from '../../engine/store/call-ledger.ts';
import type { Budget, OwnBudget } from './budget.ts';

/** `provider`: the agent whose calls these are. */
export function shareBudget(budget: OwnBudget, ledger: CallLedger, provider: string): Budget {
  return {
    ...budget,
    limited: true,
    async reserve(promptCharacters, signal) {
      const own = await budget.reserve(promptCharacters);
      if (own.kind === 'refused') return own;
      const shared = await ledger
        .reserve({ provider, usd: own.expectedUsd }, signal)
        .catch((error: unknown) => {
          own.release();
          throw error;
        });
      if (shared.kind === 'refused') {
        own.release();
        return { kind: 'refused', cause: 'budget', message: shared.message, made: false };
      }
      return {
        ...own,
        async settle(usages) {
          const cost = usages.reduce<number | null>((sum, usage) => addCost(sum, usage.cost), 0);
          await shared.settle(usages.length === 0 ? null : cost);
          return own.settle(usages);
        },
      };
    },
  };
}
