import { defaultBudgets } from '../../config/repair-budgets.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { AskInput } from './exchange-types.ts';
import { nothingSpent } from './ladder.ts';

/** The first turn of the exchange of a review's only chunk. */
export function firstAsk(request: ConsultRequest): AskInput {
  return {
    turn: 1,
    attempt: 1,
    exchange: { name: 'chunk-1', path: 'review/chunk-1', request, budgets: defaultBudgets },
    request,
    message: { kind: 'request' },
    sessionId: null,
    kept: null,
    spent: nothingSpent,
    wait: null,
    lastIrrelevance: null,
  };
}
