/**
 * CI runners read commands out of the log of a job: `::error` at the begin of a line, `##[…]` and its kin anywhere. In text
 * that somebody else wrote a blank inside the mark is enough: runners look for the exact characters.
 */
export function breakJobCommands(text: string): string {
  return createJobCommandBreaker()(text);
}

/** {@link breakJobCommands} for a log that is written in pieces; where it is cut changes nothing. */
export function createJobCommandBreaker(): (piece: string) => string {
  /** The end of what was written: as much as may be the begin of a mark. */
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

/** Each mark but for the character that makes it one. */
const lineMark = /^\s*:(?=:)/gmu;
const inlineMark = /##(?:vso|teamcity)?(?=\[)/giu;

/** `##teamcity` has this many characters. */
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
