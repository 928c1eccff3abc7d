/** Makes the output of `collab show --as-prompt` in a browser: the same bytes, with the browser's own digest. */
import type { Finding } from '../events/collab-event.ts';
import { measuringNonce, nonceSeed } from '../prompts/fence.ts';
import { orderTexts, renderOrder } from '../prompts/lead/order-text.ts';

/** Returns null if the browser cannot compute digests, as on a page loaded over a network without HTTPS. */
export function workOrderMaker(): ((findings: readonly Finding[]) => Promise<string>) | null {
  const { subtle } = globalThis.crypto;
  // oxlint-disable-next-line typescript/no-unnecessary-condition
  return subtle === undefined ? null : (findings) => renderWith(subtle, findings);
}

async function renderWith(subtle: Subtle, findings: readonly Finding[]): Promise<string> {
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(nonceSeed(orderTexts(findings))));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return renderOrder(findings, hex.slice(0, measuringNonce.length));
}

type Subtle = typeof globalThis.crypto.subtle;
