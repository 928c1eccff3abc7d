import { createHash } from 'node:crypto';
import { measuringNonce, nonceSeed } from './fence.ts';

/** Returns a nonce for texts without a run to draw one: a text cannot contain its own digest. */
export function nonceOf(texts: readonly (string | null)[]): string {
  return createHash('sha256').update(nonceSeed(texts)).digest('hex').slice(0, measuringNonce.length);
}
