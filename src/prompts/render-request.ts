import { fitRequest } from './fit-request.ts';
import type { ConsultRequest, RenderedPrompt } from './request.ts';
import { requestText } from './request-text.ts';

export interface RenderOptions {
  /** The advisor's prompt limit in UTF-16 units; null if there is none. */
  readonly budgetCharacters: number | null;
  /** Names the fences; see `createFences`. */
  readonly nonce: string;
  /** The nonce of the answer's closing line; absent in a prompt that is only measured or shown. */
  readonly closing?: string;
}

/**
 * Renders a request. If it is longer than the budget, {@link fitRequest} reduces it, and `shown` lists the remaining
 * lines of the change; a text that cannot be reduced far enough is returned too long.
 */
export function renderRequest(request: ConsultRequest, options: RenderOptions): RenderedPrompt {
  const { budgetCharacters, nonce, closing } = options;
  const whole = requestText(request, nonce, closing);
  if (budgetCharacters === null || whole.text.length <= budgetCharacters) return whole;
  return requestText(fitRequest(request, budgetCharacters).request, nonce, closing);
}
