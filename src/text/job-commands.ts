/**
 * Breaks the commands that CI runners read from the log of a job: `::error` at the beginning of a line, `##[…]` and
 * similar ones anywhere. In foreign text a space inside the mark is enough: runners look for the exact characters.
 */
export function breakJobCommands(text: string): string {
  return createJobCommandBreaker()(text);
}

/** {@link breakJobCommands} for a log that is written in pieces, cut at any place. */
export function createJobCommandBreaker(): (piece: string) => string {
  /** The end of the written text: as much as may begin a mark. */
  let before = '';
  return (piece) => {
    const whole = before + piece;
    const places = [...whole.matchAll(lineMark), ...whole.matchAll(inlineMark)]
      .map(({ index, 0: mark }) => index + mark.length - before.length)
      .filter((place) => place >= 0)
      .toSorted((left, right) => left - right);
    before = endOf(whole);
    return places.length === 0 ? piece : insertBlanks(piece, places);
  };
}

/** Each mark without the character that completes it. */
const lineMark = /^\s*:(?=:)/gmu;
const inlineMark = /##(?:vso|teamcity)?(?=\[)/giu;

/** The length of `##teamcity`. */
const longestMark = 10;

function endOf(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  const begin = /^\s*:?$/u.test(line) ? line.trim() : `x${line.slice(-longestMark)}`;
  return text === line ? begin : `\n${begin}`;
}

function insertBlanks(text: string, places: readonly number[]): string {
  const starts = [0, ...places];
  return starts.map((start, index) => text.slice(start, starts[index + 1])).join(' ');
}
