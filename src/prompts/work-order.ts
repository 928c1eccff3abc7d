/** The findings of a review as work for an agent. */
import { createHash } from 'node:crypto';
import type { Finding } from '../events/collab-event.ts';
import { measuringNonce } from './fence.ts';
import { orderSeed, renderOrder } from './order-text.ts';

export function renderWorkOrder(findings: readonly Finding[]): string {
  // Where there is no run to draw for: a text cannot hold the digest of itself.
  const digest = createHash('sha256').update(orderSeed(findings)).digest('hex');
  return renderOrder(findings, digest.slice(0, measuringNonce.length));
}
