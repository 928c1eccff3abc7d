import { masked } from '../secrets/mask-secrets.ts';
import { neutralise } from '../text/neutralise.ts';

/** Returns the form of an error message that may be printed: a message may quote input, and CI logs are public. */
export function printableError(message: string): string {
  return neutralise(masked(message));
}
