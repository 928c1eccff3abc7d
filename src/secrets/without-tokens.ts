/** Masks the values of a request's `tokens` everywhere: they are secrets (X002-24). */
export type TokenValues = Readonly<Record<string, string>>;

export function withoutTokens(text: string, tokens: TokenValues): string {
  const { values, nameOf } = maskOf(tokens);
  // One pass: a name is the user's text, too, and is neither masked nor read as `$&`.
  return values.length === 0 ? text : text.replace(patternOf(values), nameOf);
}

/** The same for a text in pieces, whose cuts may split a value. */
export function createTokenCover(tokens: TokenValues): {
  readonly push: (piece: string) => string;
  readonly flush: () => string;
} {
  const { values, nameOf } = maskOf(tokens);
  let pending = '';

  /** Returns true if the text from here on may become a longer value than the one that it already has. */
  function isCut(from: number): boolean {
    const rest = pending.slice(from);
    return values.some((value) => value.length > rest.length && value.startsWith(rest));
  }

  return {
    push(piece) {
      pending += piece;
      let [ready, done] = ['', 0];
      for (const { 0: value, index } of values.length === 0 ? [] : pending.matchAll(patternOf(values))) {
        if (isCut(index)) break;
        ready += pending.slice(done, index) + nameOf(value);
        done = index + value.length;
      }
      const rest = pending.slice(done);
      const kept = Math.max(0, ...values.map((value) => beginningAtEnd(rest, value)));
      pending = rest.slice(rest.length - kept);
      return ready + rest.slice(0, rest.length - kept);
    },
    flush() {
      const rest = withoutTokens(pending, tokens);
      pending = '';
      return rest;
    },
  };
}

/** The values are sorted longest first, so that a value that contains another one is masked as a whole. */
function maskOf(tokens: TokenValues): {
  readonly values: readonly string[];
  readonly nameOf: (value: string) => string;
} {
  const names = new Map(Object.entries(tokens).map(([name, value]) => [value, name]));
  names.delete('');
  const values = [...names.keys()].toSorted((one, other) => other.length - one.length);
  return { values, nameOf: (value) => `[token ${names.get(value) ?? ''}]` };
}

function patternOf(values: readonly string[]): RegExp {
  return new RegExp(
    values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|'),
    'g',
  );
}

/** Returns how many characters at the end of the text are the beginning of the value. */
function beginningAtEnd(text: string, value: string): number {
  for (let length = Math.min(text.length, value.length - 1); length > 0; length -= 1) {
    if (text.endsWith(value.slice(0, length))) return length;
  }
  return 0;
}
