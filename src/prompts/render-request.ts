import { fitRequest } from './fit-request.ts';
import type { ConsultRequest, RenderedPrompt } from './request.ts';
import { requestText } from './request-text.ts';

export interface RenderOptions {
  /** UTF-16 units, the advisor's prompt limit; null where there is none. */
  readonly budgetCharacters: number | null;
  /** Names the fences; `createFences` says how. */
  readonly nonce: string;
}

/**
 * Renders a request. Where it is longer than the budget it is reduced as {@link fitRequest} says, and `shown` tells
 * which lines of the change are left; a text that cannot be reduced far enough is returned too long.
 */
export function renderRequest(request: ConsultRequest, options: RenderOptions): RenderedPrompt {
  const { budgetCharacters, nonce } = options;
  const whole = requestText(request, nonce);
  if (budgetCharacters === null || whole.text.length <= budgetCharacters) return whole;
  return requestText(fitRequest(request, budgetCharacters).request, nonce);
}
