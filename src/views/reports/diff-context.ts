import type { Finding } from '../../events/collab-event.ts';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';

/** A line of the change near a finding; `marked` if the finding is about it. */
export interface ContextLine {
  /** The line number on the finding's side; null for a line that does not exist there. */
  readonly number: number | null;
  readonly kind: DiffLine['kind'];
  readonly text: string;
  readonly marked: boolean;
}

/** Returns the lines of the change around a finding; empty if it has no place in the change. */
export type ContextOf = (finding: Finding) => readonly ContextLine[];

export function createDiffContext(files: readonly DiffFile[], around = 2): ContextOf {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return (finding) => {
    const { path, start_line: start, side } = finding;
    if (path === null || start === null || side === null) return [];
    const end = finding.end_line ?? start;
    const numberOf = (line: DiffLine) => (side === 'new' ? line.newLine : line.oldLine);
    const isMarked = (line: DiffLine) => isWithin(numberOf(line), start, end);
    const hunk = byPath.get(path)?.hunks.find(({ lines }) => lines.some(isMarked));
    if (hunk === undefined) return [];
    const first = hunk.lines.findIndex(isMarked);
    const last = hunk.lines.findLastIndex(isMarked);
    return hunk.lines.slice(Math.max(0, first - around), last + around + 1).map((line) => ({
      number: numberOf(line),
      kind: line.kind,
      text: line.text.replace(/\r$/, ''),
      marked: isMarked(line),
    }));
  };
}

function isWithin(number: number | null, start: number, end: number): boolean {
  return number !== null && number >= start && number <= end;
}
