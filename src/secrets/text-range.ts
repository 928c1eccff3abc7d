/** UTF-16 offsets, `end` excluded. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A secret's place and the rule that saw it. */
export interface FoundSecret extends TextRange {
  readonly rule: string;
}

/** The kind of each secret, once: where two rules saw the same one, what the first calls it. */
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

/** Stars over the ranges. Length and line ends stay, so that every position in the text stays valid. */
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
