import { maskSecrets } from '../secrets/mask-secrets.ts';
import { neutralise } from '../text/neutralise.ts';

/** Returns an error message as it may be printed: it quotes what was typed or read, and logs of CI are public. */
export function printableError(message: string): string {
  return neutralise(maskSecrets(message).text);
}
