/** Renders the findings of a review as work for an agent. */
import type { Finding } from '../../events/collab-event.ts';
import { nonceOf } from '../nonce.ts';
import { orderTexts, renderOrder } from './order-text.ts';

export function renderWorkOrder(findings: readonly Finding[]): string {
  return renderOrder(findings, nonceOf(orderTexts(findings)));
}
