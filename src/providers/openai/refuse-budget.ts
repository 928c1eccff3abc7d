import { ValueError } from '../../errors/provider-error.ts';
import type { ModelParameters } from '../contract/model.ts';

/**
 * Refuses a thinking budget: OpenAI sets the effort by a word, not by a number of tokens. @throws ValueError if a budget is
 * given
 */
export function refuseBudget(model: string, { thinkingBudget }: ModelParameters, extra: string): void {
  if (thinkingBudget === undefined) return;
  throw new ValueError(`${model} does not measure its thoughts in tokens`, {
    hint: `Leave thinkingBudget out; extra: ${extra} is its word for it.`,
  });
}
