/** UTF-16 offsets, `end` excluded. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The range of a secret and the rule that found it. */
export interface FoundSecret extends TextRange {
  readonly rule: string;
}

/** Returns the kind of each secret once; if two rules found the same one, the first rule's kind. */
export function kindsOf(found: readonly FoundSecret[]): readonly string[] {
  let end = -1;
  return found
    .toSorted((one, other) => one.start - other.start)
    .flatMap((secret) => {
      const isNew = secret.start >= end;
      end = Math.max(end, secret.end);
      return isNew ? [secret.rule] : [];
    });
}

/** Masks the ranges with asterisks. Length and line ends stay, so that every position in the text stays valid. */
export function cover(text: string, ranges: readonly TextRange[]): string {
  let covered = '';
  let position = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    if (end <= position) continue;
    const from = Math.max(start, position);
    covered += text.slice(position, from) + text.slice(from, end).replace(/[^\r\n]/g, '*');
    position = end;
  }
  return covered + text.slice(position);
}

/** Returns true if a text seems to contain a masked value: three asterisks that do not frame a comment (`/***`, `***\/`). */
export function seemsMasked(text: string): boolean {
  return text.split('\n').some((line) => /\*{3}/.test(line.replace(/^\s*\/\*+|^\s*\*+\/\s*$/, '')));
}
