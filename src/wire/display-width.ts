import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/** Terminal columns; East-Asian wide characters and emoji count 2, a grapheme counts once. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** At most `columns` wide, `...` included; no grapheme is split. */
export function cutToWidth(text: string, columns: number): string {
  return displayWidth(text) <= columns ? text : `${widthPrefix(text, columns - 3)}...`;
}

function widthPrefix(text: string, columns: number): string {
  let width = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    width += displayWidth(segment);
    if (width > columns) return text.slice(0, index);
  }
  return text;
}

/** All white space, line ends too, as single blanks. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Lines at most `columns` wide, broken at blanks; a word that is wider is broken between graphemes. */
export function wrapToWidth(text: string, columns: number): readonly string[] {
  const width = Math.max(1, columns);
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (displayWidth(line) <= columns) return [line];
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = displayWidth(indent) < columns ? indent : '';
  for (const word of line.trim().split(/ +/)) {
    const joined = current.trim() === '' ? current + word : `${current} ${word}`;
    if (displayWidth(joined) <= columns) {
      current = joined;
      continue;
    }
    if (current.trim() !== '') lines.push(current);
    const pieces = breakWord(word, columns);
    lines.push(...pieces.slice(0, -1));
    current = pieces.at(-1) ?? '';
  }
  return [...lines, current];
}

function breakWord(word: string, columns: number): readonly string[] {
  const pieces: string[] = [];
  let rest = word;
  while (displayWidth(rest) > columns) {
    const [first] = segmenter.segment(rest);
    const piece = widthPrefix(rest, columns) || (first?.segment ?? rest);
    if (piece === rest) break;
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}
