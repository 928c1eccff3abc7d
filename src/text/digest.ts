import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** Returns the SHA-256, in hex, of the value's canonical JSON. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
