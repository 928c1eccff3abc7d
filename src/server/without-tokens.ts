/** Covers the values of a request's `tokens` wherever they turn up: they are secrets (X002-24). */
export function withoutTokens(text: string, tokens: Readonly<Record<string, string>>): string {
  return Object.entries(tokens)
    .filter(([, value]) => value !== '')
    .toSorted(([, one], [, other]) => other.length - one.length)
    .reduce((covered, [name, value]) => covered.replaceAll(value, `[token ${name}]`), text);
}
