/** Masks the values of a request's `tokens` everywhere: they are secrets (X002-24). */
export type TokenValues = Readonly<Record<string, string>>;

export function withoutTokens(text: string, tokens: TokenValues): string {
  return longestFirst(tokens).reduce(
    (covered, [name, value]) => covered.replaceAll(value, `[token ${name}]`),
    text,
  );
}

/** The same for a text in pieces, whose cuts may split a value. */
export function createTokenCover(tokens: TokenValues): {
  readonly push: (piece: string) => string;
  readonly flush: () => string;
} {
  const values = longestFirst(tokens).map(([, value]) => value);
  let pending = '';
  return {
    push(piece) {
      pending = withoutTokens(pending + piece, tokens);
      const kept = Math.max(0, ...values.map((value) => beginningAtEnd(pending, value)));
      const ready = pending.slice(0, pending.length - kept);
      pending = pending.slice(ready.length);
      return ready;
    },
    flush() {
      const rest = pending;
      pending = '';
      return rest;
    },
  };
}

/** Longest first, so that a value that contains another one is masked as a whole. */
function longestFirst(tokens: TokenValues): readonly (readonly [string, string])[] {
  return Object.entries(tokens)
    .filter(([, value]) => value !== '')
    .toSorted(([, one], [, other]) => other.length - one.length);
}

/** Returns how many characters at the end of the text are the beginning of the value. */
function beginningAtEnd(text: string, value: string): number {
  for (let length = Math.min(text.length, value.length - 1); length > 0; length -= 1) {
    if (text.endsWith(value.slice(0, length))) return length;
  }
  return 0;
}
