import { ValueError } from '../../errors/provider-error.ts';
import type { ModelParameters } from '../contract/model.ts';

/**
 * Refuses a thinking budget: OpenAI sets the effort by a word, not by a number of tokens. @throws ValueError if a budget is
 * given
 */
export function refuseBudget(model: string, { thinkingBudget }: ModelParameters, extra: string): void {
  if (thinkingBudget === undefined) return;
  throw new ValueError(`${model} does not measure its thinking in tokens`, {
    hint: `Omit thinkingBudget; extra: ${extra} is its own setting for that.`,
  });
}
