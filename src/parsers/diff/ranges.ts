/** Line ranges of a change: subtracts them, and cuts the change down to some of them. */
import type { DiffFile, DiffLine, Hunk, LineRange } from './types.ts';
import { countWhile } from '../../system/binary-search.ts';

/**
 * Returns every line of the hunks: added and context lines by their number on the new side, removed lines by their
 * number on the old side (also for a modified file). Neighbors are joined; ranges are in the order of the diff.
 */
export function linesOf(files: readonly DiffFile[]): readonly LineRange[] {
  return rangesOf(files, () => true);
}

/** Like `linesOf`, without the context: returns the lines that the coverage of a change counts. */
export function changedLinesOf(files: readonly DiffFile[]): readonly LineRange[] {
  return rangesOf(files, ({ kind }) => kind !== 'context');
}

export function countLines(ranges: readonly LineRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
}

/** Returns the lines of `all` that are in none of `shown`. */
export function subtractRanges(all: readonly LineRange[], shown: readonly LineRange[]): readonly LineRange[] {
  const gone = groupRanges(shown);
  return all.flatMap((range) => subtractSorted(range, gone.get(keyOf(range)) ?? []));
}

/**
 * Cuts the files down to the lines within `ranges`, with hunks rebuilt around them; files without such a line are left
 * out.
 */
export function filesWithin(files: readonly DiffFile[], ranges: readonly LineRange[]): readonly DiffFile[] {
  const wanted = groupRanges(ranges);
  return files
    .map((file) => ({ ...file, hunks: file.hunks.flatMap((hunk) => hunkWithin(hunk, file.path, wanted)) }))
    .filter(({ hunks }) => hunks.length > 0);
}

/** Returns a part of a hunk, from line index `start` up to but without `end`, with its own `@@` numbers. */
export function sliceHunk(hunk: Hunk, start: number, end: number): Hunk {
  const lines = hunk.lines.slice(start, end);
  return {
    heading: hunk.heading,
    oldStart: startOf(hunk, 'old', start, end),
    oldLines: countSide(lines, 'old'),
    newStart: startOf(hunk, 'new', start, end),
    newLines: countSide(lines, 'new'),
    lines,
  };
}

type Side = LineRange['side'];
type Grouped = ReadonlyMap<string, readonly LineRange[]>;

function rangesOf(files: readonly DiffFile[], counts: (line: DiffLine) => boolean): readonly LineRange[] {
  return files.flatMap((file) => {
    const sides: Record<Side, Growing[]> = { old: [], new: [] };
    for (const { lines } of file.hunks) {
      for (const line of lines) if (counts(line)) grow(sides, line);
    }
    const named = (side: Side) =>
      sides[side].map(({ start, end }) => ({ path: file.path, side, start, end }));
    return [...named('old'), ...named('new')];
  });
}

interface Growing {
  readonly start: number;
  end: number;
}

/** Extends the last range in place: a diff may contain a million lines. */
function grow(sides: Record<Side, Growing[]>, line: DiffLine): void {
  const { side, number } = placeOf(line);
  const last = sides[side].at(-1);
  if (last?.end === number - 1) last.end = number;
  else sides[side].push({ start: number, end: number });
}

/** Places a removed line on the old side, every other one on the new. */
function placeOf(line: DiffLine): { readonly side: Side; readonly number: number } {
  if (line.newLine !== null) return { side: 'new', number: line.newLine };
  return { side: 'old', number: line.oldLine ?? 0 };
}

function keyOf({ path, side }: Pick<LineRange, 'path' | 'side'>): string {
  return `${side}:${path}`;
}

function groupRanges(ranges: readonly LineRange[]): Grouped {
  const groups = new Map<string, LineRange[]>();
  for (const range of ranges) {
    const group = groups.get(keyOf(range));
    if (group === undefined) groups.set(keyOf(range), [range]);
    else group.push(range);
  }
  return new Map([...groups].map(([key, group]) => [key, joinRanges(group)]));
}

/** Returns sorted ranges without overlaps. */
function joinRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const joined: LineRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.start - right.start)) {
    const last = joined.at(-1);
    if (last !== undefined && range.start <= last.end + 1) {
      joined[joined.length - 1] = { ...last, end: Math.max(last.end, range.end) };
    } else {
      joined.push(range);
    }
  }
  return joined;
}

function subtractSorted(range: LineRange, gone: readonly LineRange[]): readonly LineRange[] {
  const left: LineRange[] = [];
  let start = range.start;
  for (let index = firstEndingFrom(gone, start); index < gone.length; index += 1) {
    const hole = gone[index];
    if (hole === undefined || hole.start > range.end) break;
    if (hole.start > start) left.push({ ...range, start, end: hole.start - 1 });
    start = hole.end + 1;
  }
  return start > range.end ? left : [...left, { ...range, start }];
}

/** Returns the index of the first range that ends at `line` or later: the only one that can contain it. */
function firstEndingFrom(sorted: readonly LineRange[], line: number): number {
  return countWhile(sorted.length, (index) => (sorted[index]?.end ?? 0) < line);
}

function hunkWithin(hunk: Hunk, path: string, wanted: Grouped): readonly Hunk[] {
  const runs: Hunk[] = [];
  let start = -1;
  for (let index = 0; index <= hunk.lines.length; index += 1) {
    const line = hunk.lines[index];
    const kept = line !== undefined && isWithin(line, path, wanted);
    if (kept && start === -1) start = index;
    if (!kept && start !== -1) {
      runs.push(sliceHunk(hunk, start, index));
      start = -1;
    }
  }
  return runs;
}

function isWithin(line: DiffLine, path: string, wanted: Grouped): boolean {
  const { side, number } = placeOf(line);
  const ranges = wanted.get(keyOf({ path, side })) ?? [];
  const range = ranges[firstEndingFrom(ranges, number)];
  return range !== undefined && range.start <= number;
}

function countSide(lines: readonly DiffLine[], side: Side): number {
  const absent = side === 'old' ? 'added' : 'removed';
  return lines.reduce((count, { kind }) => (kind === absent ? count : count + 1), 0);
}

/** Returns the first line of the part on that side; if it has none, the line before the part, as git does. */
function startOf(hunk: Hunk, side: Side, start: number, end: number): number {
  const [whole, count] = side === 'old' ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
  if (count === 0) return whole;
  for (let index = start; index < end; index += 1) {
    const number = numberOn(hunk.lines[index], side);
    if (number !== null) return number;
  }
  for (let index = start - 1; index >= 0; index -= 1) {
    const number = numberOn(hunk.lines[index], side);
    if (number !== null) return number;
  }
  return whole - 1;
}

function numberOn(line: DiffLine | undefined, side: Side): number | null {
  return (side === 'old' ? line?.oldLine : line?.newLine) ?? null;
}
