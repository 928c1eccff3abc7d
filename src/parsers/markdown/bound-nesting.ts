/**
 * Limits nesting. remark's time grows with the square of the nesting: a megabyte of `>` would take an hour. No
 * decision depends on more than a hundred levels, so deeper container marks are parsed as letters, at the same
 * offsets.
 */
export function boundNesting(source: string): string {
  return source.replace(
    /(^|\n|\r)((?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])){100})((?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t]))+)/g,
    (_whole, ending: string, kept: string, deeper: string) => ending + kept + 'x'.repeat(deeper.length),
  );
}
