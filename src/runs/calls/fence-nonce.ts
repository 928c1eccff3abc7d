/** What names the fences of a prompt: nobody can guess it, and a resumed run names them the same. */
import { createHmac, randomBytes } from 'node:crypto';
import { measuringNonce } from '../../prompts/fence.ts';

/** Drawn once, kept in the input of the run. */
export function newFenceSeed(): string {
  return randomBytes(16).toString('hex');
}

/** `place` is the name of the step that sends the prompt: each request has its own. */
export function fenceNonce(seed: string, place: string): string {
  return createHmac('sha256', seed).update(place).digest('hex').slice(0, measuringNonce.length);
}
