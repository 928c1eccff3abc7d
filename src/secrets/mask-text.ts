import { maskLine } from './find-secrets.ts';
import { createPrivateKeyScanner } from './private-keys.ts';

/** Masks the secrets of a text line by line, with the same result as a stream of it. */
export function maskText(text: string): string {
  const scanner = createPrivateKeyScanner();
  return text
    .split('\n')
    .map((line) => maskLine(line, scanner))
    .join('\n');
}
