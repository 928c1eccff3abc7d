import { ValueError } from '../../errors/provider-error.ts';
import type { ModelParameters } from '../contract/model.ts';

/** OpenAI tells a model how hard to think, by a word: no number of tokens says which. @throws ValueError where one is given */
export function refuseBudget(model: string, { thinkingBudget }: ModelParameters, extra: string): void {
  if (thinkingBudget === undefined) return;
  throw new ValueError(`${model} does not measure its thoughts in tokens`, {
    hint: `Leave thinkingBudget out; extra: ${extra} is its word for it.`,
  });
}
