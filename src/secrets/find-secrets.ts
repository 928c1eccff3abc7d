import { createPrivateKeyScanner, type PrivateKeyScanner } from './private-keys.ts';
import { secretHint, secretPatterns, type SecretPattern } from './secret-patterns.ts';
import { cover, type FoundSecret } from './text-range.ts';

/** Every secret that our own patterns see. */
export function findSecrets(text: string): readonly FoundSecret[] {
  return mightHoldSecret(text) ? [...findByPattern(text), ...findPrivateKeys(text)] : [];
}

export function mightHoldSecret(text: string): boolean {
  return secretHint.test(text);
}

/** One line, without its line end, of a text whose earlier lines the scanner has seen. */
export function maskLine(line: string, scanner: PrivateKeyScanner): string {
  // Both look at the line as it came: what one covers first could leave the other only the rest of a token.
  const tokens = mightHoldSecret(line) ? findByPattern(line) : [];
  return maskPatterns(cover(line, [...scanner.scanLine(line), ...tokens]));
}

/** Covering one secret may lay bare the next: two tokens written without a gap. */
function maskPatterns(text: string): string {
  const found = mightHoldSecret(text) ? findByPattern(text) : [];
  return found.length === 0 ? text : maskPatterns(cover(text, found));
}

function findByPattern(text: string): readonly FoundSecret[] {
  return secretPatterns.flatMap((pattern) => [...text.matchAll(pattern.shape)].flatMap(locate(pattern)));
}

function locate({ rule, isSecret }: SecretPattern) {
  return (match: RegExpMatchArray): readonly FoundSecret[] => {
    const [whole] = match;
    const secret = match.groups?.['secret'] ?? whole;
    if (isSecret?.(secret) === false || /^\*+$/.test(secret)) return [];
    // Every pattern ends with its secret, but for what a lookahead or one `@` adds: the last occurrence is the group.
    const start = (match.index ?? 0) + whole.lastIndexOf(secret);
    return [{ start, end: start + secret.length, rule }];
  };
}

function findPrivateKeys(text: string): readonly FoundSecret[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const scanner = createPrivateKeyScanner();
  let lineStart = 0;
  return text.split('\n').flatMap((line) => {
    const offset = lineStart;
    lineStart += line.length + 1;
    return scanner
      .scanLine(line)
      .map(({ start, end, rule }) => ({ start: offset + start, end: offset + end, rule }));
  });
}
