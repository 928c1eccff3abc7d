import { createHash } from 'node:crypto';

/** Returns the SHA-256, in hex, of the value's canonical JSON. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Renders equal values as equal text: sorted keys, no white space, without values that JSON omits. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? 'null';
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
