/** Fuzzy search: the letters of the query in their order, wherever they are. */

/**
 * Returns the best fitting texts, at most `most`: first those that contain the query, at the beginning of a name before its
 * middle; if there is none, those that contain its letters in order. Equal ones keep their order.
 */
export function fuzzyMatches(query: string, texts: readonly string[], most: number): readonly string[] {
  const wanted = query.toLowerCase();
  const fitting = texts.flatMap((text) => {
    const rank = rankOf(wanted, text.toLowerCase());
    return rank === null ? [] : [{ text, rank }];
  });
  const containing = fitting.filter(({ rank }) => rank < scattered);
  return (containing.length > 0 ? containing : fitting)
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ text }) => text);
}

/** Higher than any rank of a contained query. */
const scattered = 1_000_000;

/** Lower is better; null if the text does not fit. */
function rankOf(query: string, text: string): number | null {
  if (query === '') return 0;
  const name = text.slice(text.lastIndexOf('/', text.length - 2) + 1);
  if (name.startsWith(query)) return text.length;
  if (text.startsWith(query)) return 10_000 + text.length;
  if (name.includes(query)) return 20_000 + text.length;
  if (text.includes(query)) return 30_000 + text.length;
  const span = spanOf(query, text);
  return span === null ? null : scattered + span * 1000 + text.length;
}

/** The number of characters between the first and the last letter found; null if one is missing. */
function spanOf(query: string, text: string): number | null {
  let [first, at] = [-1, -1];
  for (const letter of query) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return null;
    if (first < 0) first = at;
  }
  return at - first;
}
