/** The items of a section that is a list of remarks: STRENGTHS, SUGGESTIONS. */
import { withoutCarriageReturn } from '../../parsers/diff/lines.ts';

/**
 * Splits the text into items, each starting at a bullet or number that is not indented; text without bullets is split
 * at empty lines. Fences stay whole.
 */
export function splitNotes(section: string): readonly string[] {
  const lines = section.split('\n').map(withoutCarriageReturn);
  const fenced = fencedLines(lines);
  const hasBullets = lines.some((line, index) => fenced[index] === false && bullet.test(line));
  const notes: string[][] = [[]];
  for (const [index, line] of lines.entries()) {
    const isFree = fenced[index] === false;
    if (isFree && (hasBullets ? bullet.test(line) : line.trim() === '')) notes.push([]);
    notes.at(-1)?.push(isFree && hasBullets ? line.replace(bullet, '').replace(/^ {2,3}/u, '') : line);
  }
  return notes.map((note) => note.join('\n').trim()).filter((note) => note !== '');
}

const bullet = /^(?:[-*+•]|\d{1,3}[.)])\s+/u;

/** Returns true for the lines of a fence, including its two delimiters. */
function fencedLines(lines: readonly string[]): readonly boolean[] {
  let fence: string | null = null;
  return lines.map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence === null) {
      fence = mark ?? null;
      return mark !== undefined;
    }
    if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null;
    return true;
  });
}
