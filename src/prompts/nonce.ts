import { createHash } from 'node:crypto';
import { measuringNonce, nonceSeed } from './fence.ts';

/** Where there is no run to draw for: a text cannot hold the digest of itself. */
export function nonceOf(texts: readonly (string | null)[]): string {
  return createHash('sha256').update(nonceSeed(texts)).digest('hex').slice(0, measuringNonce.length);
}
