import { createHash } from 'node:crypto';

export interface Draw {
  /** From 0 to 1. */
  readonly share: number;
  readonly seed: string;
}

/** Returns true if a test belongs to the drawn share, whatever other tests there are. */
export function isDrawn(file: string, name: string, { share, seed }: Draw): boolean {
  if (share >= 1 || /\b[RX]\d{3}-\d/.test(name)) return true;
  const digest = createHash('sha256').update(`${seed}\n${file}\n${name}`).digest();
  return digest.readUInt32BE() / 2 ** 32 < share;
}
