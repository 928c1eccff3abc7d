import { sliceHunk } from '../../parsers/diff/ranges.ts';
import { renderDiffFile, renderHunk, renderLine } from '../../parsers/diff/render.ts';
import type { DiffFile, Hunk } from '../../parsers/diff/types.ts';

/** In bytes. The numbers in a part's `@@` line may have more digits than those of the whole. */
const headerGrowth = 24;

/**
 * Splits a file into parts that each fit the budget: between hunks, and within a hunk only if it exceeds the budget.
 */
export function splitFile(file: DiffFile, budgetBytes: number): readonly DiffFile[] {
  if (bytesOf(file) <= budgetBytes) return [file];
  const first = file.hunks[0];
  if (first === undefined) return [file];
  const headerBytes = bytesOf({ ...file, hunks: [first] }) - hunkBytes(first);
  const budget = budgetBytes - headerBytes;
  const pieces = file.hunks.flatMap((hunk) => splitHunk(hunk, budget));
  return packHunks(file, pieces, budget);
}

function packHunks(file: DiffFile, hunks: readonly Hunk[], budgetBytes: number): readonly DiffFile[] {
  const parts: Hunk[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const hunk of hunks) {
    const size = hunkBytes(hunk);
    if (bytes + size > budgetBytes) {
      parts.push([hunk]);
      bytes = size;
    } else {
      parts.at(-1)?.push(hunk);
      bytes += size;
    }
  }
  return parts.map((part) => ({ ...file, hunks: part }));
}

function splitHunk(hunk: Hunk, budgetBytes: number): readonly Hunk[] {
  const whole = hunkBytes(hunk);
  if (whole <= budgetBytes) return [hunk];
  const sizes = hunk.lines.map((line) => Buffer.byteLength(renderLine(line)));
  const limit = budgetBytes - (whole - sizes.reduce((sum, size) => sum + size, 0)) - headerGrowth;
  const pieces: Hunk[] = [];
  for (let start = 0; start < hunk.lines.length;) {
    const end = cutBefore(hunk, start, reach(sizes, start, limit));
    pieces.push(sliceHunk(hunk, start, end));
    start = end;
  }
  return pieces;
}

/** Returns the end of the lines from `start` that fit; at least one line. */
function reach(sizes: readonly number[], start: number, limit: number): number {
  let [end, bytes] = [start, 0];
  while (end < sizes.length && (end === start || bytes + (sizes[end] ?? 0) <= limit)) {
    bytes += sizes[end] ?? 0;
    end += 1;
  }
  return end;
}

/** Returns the last cut next to a context line, unless it would leave more than half of the room unused. */
function cutBefore({ lines }: Hunk, start: number, end: number): number {
  if (end === lines.length) return end;
  const earliest = start + Math.ceil((end - start) / 2);
  for (let cut = end; cut >= earliest; cut -= 1) {
    if (lines[cut]?.kind === 'context' || lines[cut - 1]?.kind === 'context') return cut;
  }
  return end;
}

function hunkBytes(hunk: Hunk): number {
  return Buffer.byteLength(renderHunk(hunk));
}

function bytesOf(file: DiffFile): number {
  return Buffer.byteLength(renderDiffFile(file));
}
