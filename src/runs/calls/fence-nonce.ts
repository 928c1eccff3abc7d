/** Derives the names of a prompt's fences: they cannot be guessed, and a resumed run uses the same names. */
import { createHmac, randomBytes } from 'node:crypto';
import { measuringNonce } from '../../prompts/fence.ts';

/** Draws the seed, once for a run; kept in the run's input. */
export function newFenceSeed(): string {
  return randomBytes(16).toString('hex');
}

/** `place` is the name of the step that sends the prompt, so each request has its own nonce. */
export function fenceNonce(seed: string, place: string): string {
  return createHmac('sha256', seed).update(place).digest('hex').slice(0, measuringNonce.length);
}

/** Returns one nonce for all turns of an exchange: an agent may close a later answer as the first prompt requested. */
export function closingNonce(seed: string, exchange: { readonly path: string }): string {
  return fenceNonce(seed, `${exchange.path}/closing`);
}
