/** Shows the beginning of a long file and the lines around its findings; the rest is folded until the reader opens it. */
import type { DiffFile, DiffLine, Hunk } from '../../../src/client/review.ts';
import { keyOf, type LineKey } from './change-lines.ts';

export type DiffSection =
  | { readonly kind: 'lines'; readonly hunk: Hunk; readonly beginsHunk: boolean }
  | { readonly kind: 'folded'; readonly from: number; readonly count: number };

/** Positions among all lines of the file, without the end. */
export interface OpenedLines {
  readonly from: number;
  readonly to: number;
}

/** Up to this many lines, a file is shown whole. */
const longestWhole = 400;
const shownAtBegin = 100;
const shownAround = 15;
/** Fewer lines are not worth a button. */
const fewestFolded = 10;
/** Lines that a press of the button shows. */
export const openedAtOnce = 400;

export function foldLines(
  { hunks }: Pick<DiffFile, 'hunks'>,
  marked: ReadonlySet<LineKey>,
  opened: readonly OpenedLines[],
): readonly DiffSection[] {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (lines.length <= longestWhole) return hunks.map(wholeHunk);
  const shown = withoutGaps(shownLines(lines, marked, opened));
  return hunks.flatMap((hunk, index) => {
    const begin = hunks.slice(0, index).reduce((sum, before) => sum + before.lines.length, 0);
    return foldHunk(hunk, begin, shown);
  });
}

/** Returns the sections with the first lines of a file. */
export function cutSections(sections: readonly DiffSection[], count: number): readonly DiffSection[] {
  const first: DiffSection[] = [];
  let left = count;
  for (const section of sections) {
    if (left <= 0) break;
    if (section.kind === 'folded') first.push(section);
    else {
      const { lines } = section.hunk;
      first.push(lines.length <= left ? section : { ...section, hunk: partOf(section.hunk, 0, left) });
      left -= lines.length;
    }
  }
  return first;
}

function wholeHunk(hunk: Hunk): DiffSection {
  return { kind: 'lines', hunk, beginsHunk: true };
}

function shownLines(
  lines: readonly DiffLine[],
  marked: ReadonlySet<LineKey>,
  opened: readonly OpenedLines[],
): boolean[] {
  const shown = lines.map((_line, index) => index < shownAtBegin);
  const show = (from: number, to: number) => shown.fill(true, Math.max(0, from), Math.max(0, to));
  for (const [index, line] of lines.entries()) {
    if (marked.has(keyOf(line))) show(index - shownAround, index + shownAround + 1);
  }
  for (const { from, to } of opened) show(from, to);
  return shown;
}

function withoutGaps(shown: boolean[]): readonly boolean[] {
  for (let from = shown.indexOf(false); from !== -1;) {
    const next = shown.indexOf(true, from);
    const to = next === -1 ? shown.length : next;
    if (to - from < fewestFolded) shown.fill(true, from, to);
    from = shown.indexOf(false, to);
  }
  return shown;
}

function foldHunk(hunk: Hunk, begin: number, shown: readonly boolean[]): readonly DiffSection[] {
  const sections: DiffSection[] = [];
  for (let from = 0; from < hunk.lines.length;) {
    const isShown = shown[begin + from] ?? true;
    let to = from + 1;
    while (to < hunk.lines.length && (shown[begin + to] ?? true) === isShown) to += 1;
    sections.push(
      isShown
        ? { kind: 'lines', hunk: partOf(hunk, from, to), beginsHunk: from === 0 }
        : { kind: 'folded', from: begin + from, count: to - from },
    );
    from = to;
  }
  return sections;
}

function partOf(hunk: Hunk, from: number, to: number): Hunk {
  return { ...hunk, lines: hunk.lines.slice(from, to) };
}
