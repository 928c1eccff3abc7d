import { measuringNonce } from './fence.ts';
import { fitRequest, type Reduction } from './fit-request.ts';
import { renderRequest } from './render-request.ts';
import { requestText } from './request-text.ts';
import type { ConsultRequest } from './request.ts';

const smallestBudgetCharacters = 2000;

/**
 * Shortens the request for the attempt after a timeout (R001-15): half of the previous prompt, but not less than 2,000
 * characters; strictly shorter in bytes, or null if impossible. Tag, question and section list stay; dropped lines of
 * the change are missing in `shown` of its rendering.
 */
export function shortenRequest(request: ConsultRequest, previousCharacters: number): Reduction | null {
  const previous = renderRequest(request, {
    budgetCharacters: previousCharacters,
    nonce: measuringNonce,
  }).text;
  const budget = Math.max(
    smallestBudgetCharacters,
    Math.floor(Math.min(previousCharacters, previous.length) / 2),
  );
  const shorter = fitRequest(request, budget);
  const text = requestText(shorter.request, measuringNonce).text;
  return Buffer.byteLength(text) < Buffer.byteLength(previous) ? shorter : null;
}
