/** Places each finding at its lines and its file: lines are part of the result, and are only looked up here. */
import type { Finding } from '../../../src/client/run-events.ts';
import type { DiffFile, DiffLine } from '../../../src/client/review.ts';
import { keyOf, type LineKey } from './change-lines.ts';

export interface FileFindings {
  /** Findings by the line under which they are drawn: their last one. */
  readonly byLine: ReadonlyMap<LineKey, readonly Finding[]>;
  /** Every line that a finding is about. */
  readonly marked: ReadonlySet<LineKey>;
  /** Findings on the file as a whole, or on lines that the change does not show. */
  readonly ofFile: readonly Finding[];
}

export interface PlacedFindings {
  /** One entry for each file of the change, in its order. */
  readonly files: readonly PlacedFile[];
  /** Their quotation is not in the change, or they name no file of it. */
  readonly unplaced: readonly Finding[];
}

export interface PlacedFile {
  /** Unlike a path, unique for each file: a path may occur twice in a change. */
  readonly id: string;
  readonly file: DiffFile;
  readonly findings: FileFindings;
}

export function placeFindings(files: readonly DiffFile[], findings: readonly Finding[]): PlacedFindings {
  const byPath = groupByPath(files);
  const drafts = new Map(files.map((file) => [file, newDraft()]));
  const unplaced: Finding[] = [];
  for (const finding of findings) {
    const spot = findSpot(finding, byPath);
    const draft = spot === null ? undefined : drafts.get(spot.file);
    if (spot === null || draft === undefined) unplaced.push(finding);
    else take(draft, finding, spot.lines);
  }
  const placed = files.map((file, index) => ({
    id: `file-${index + 1}`,
    file,
    findings: drafts.get(file) ?? newDraft(),
  }));
  return { files: placed, unplaced };
}

interface Draft {
  readonly byLine: Map<LineKey, Finding[]>;
  readonly marked: Set<LineKey>;
  readonly ofFile: Finding[];
}

function newDraft(): Draft {
  return { byLine: new Map(), marked: new Set(), ofFile: [] };
}

interface Spot {
  readonly file: DiffFile;
  /** An empty list means the file as a whole. */
  readonly lines: readonly DiffLine[];
}

function findSpot(finding: Finding, byPath: ReadonlyMap<string, readonly DiffFile[]>): Spot | null {
  if (finding.path === null || finding.placement === 'unplaced') return null;
  const candidates = byPath.get(finding.path) ?? [];
  // A file that became something else is in a change twice: deleted, then added.
  const spots = candidates.map((file) => ({ file, lines: linesOf(finding, file) }));
  return spots.find(({ lines }) => lines.length > 0) ?? spots[0] ?? null;
}

function linesOf(finding: Finding, file: DiffFile): readonly DiffLine[] {
  const { start_line: start, side } = finding;
  if (start === null || side === null) return [];
  const end = finding.end_line ?? start;
  return file.hunks
    .flatMap(({ lines }) => lines)
    .filter((line) => {
      const number = side === 'new' ? line.newLine : line.oldLine;
      return number !== null && number >= start && number <= end;
    });
}

function take(draft: Draft, finding: Finding, lines: readonly DiffLine[]): void {
  const last = lines.at(-1);
  if (last === undefined) {
    draft.ofFile.push(finding);
    return;
  }
  for (const line of lines) draft.marked.add(keyOf(line));
  const key = keyOf(last);
  draft.byLine.set(key, [...(draft.byLine.get(key) ?? []), finding]);
}

/** Groups by the path after renames, which is the one in a result; by the old path only if no file has that name now. */
function groupByPath(files: readonly DiffFile[]): ReadonlyMap<string, readonly DiffFile[]> {
  const byPath = new Map<string, readonly DiffFile[]>();
  for (const file of files) byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
  for (const file of files) {
    if (file.oldPath !== null && !byPath.has(file.oldPath)) byPath.set(file.oldPath, [file]);
  }
  return byPath;
}
