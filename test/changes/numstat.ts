/** Compares git's counts of a change with ours, file by file. */
import { expect } from 'vitest';
import { renderDiffFile } from '../../src/parsers/diff/render.ts';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import type { DiffFile } from '../../src/parsers/diff/types.ts';
import { takeCensus } from '../../src/review/census/census.ts';
import { planChunks } from '../../src/review/census/chunks.ts';
import { everything } from '../../src/review/census/selection.ts';

export interface Counts {
  /** The number of lines; null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly from: string;
  readonly to: string;
}

export function countsOf({ path, oldPath, change, binary, hunks }: DiffFile): Counts {
  const moved = change === 'renamed' || change === 'copied';
  const count = (kind: string) =>
    hunks.flatMap(({ lines }) => lines).filter((line) => line.kind === kind).length;
  return {
    added: binary ? null : count('added'),
    removed: binary ? null : count('removed'),
    from: moved ? (oldPath ?? path) : path,
    to: path,
  };
}

/** Reads the output of `git diff --numstat -z`. */
export function readNumstat(output: string): readonly Counts[] {
  return splitNumstat(output).map(readRecord);
}

/** Splits `added TAB removed TAB path NUL` and, for a move, `added TAB removed TAB NUL from NUL to NUL`. */
export function splitNumstat(output: string): readonly string[] {
  return output.match(/\d*-?\t\d*-?\t(?:\0[^\0]+\0)?[^\0]+\0/gy) ?? [];
}

function readRecord(record: string): Counts {
  const [head = '', from = '', moved = ''] = record.split('\0');
  const [added = '', removed = '', ...rest] = head.split('\t');
  const path = rest.join('\t');
  return {
    added: added === '-' ? null : Number(added),
    removed: removed === '-' ? null : Number(removed),
    from: path === '' ? from : path,
    to: path === '' ? moved : path,
  };
}

/** Fails if the census differs from git's own counts, or the chunks together from the census. */
export function expectWholeChange(diff: string, numstat: string): void {
  const parsed = parseUnifiedDiff(diff);
  expect({ faults: parsed.faults, preamble: parsed.preamble }).toEqual({ faults: [], preamble: [] });
  const census = takeCensus(parsed, everything);
  const counted = readNumstat(numstat);
  expect(census.files.map(({ file }) => countsOf(file))).toEqual(mergeTypeChanges(counted, parsed.files));
  expect(census.files.map(({ added, removed }) => added + removed)).toEqual(
    census.files.map(({ file }) => (countsOf(file).added ?? 0) + (countsOf(file).removed ?? 0)),
  );
  for (const budget of [30, 700, 24_000]) {
    const parts = planChunks(parsed.files, budget).flatMap((chunk) => chunk.files);
    expect(linesIn(parts)).toEqual(linesIn(parsed.files));
    expect(linesIn(parts.flatMap((part) => parseUnifiedDiff(renderDiffFile(part)).files))).toEqual(
      linesIn(parsed.files),
    );
  }
}

/** git counts a file that becomes a link as one, and shows it as two. */
function mergeTypeChanges(counted: readonly Counts[], files: readonly DiffFile[]): readonly Counts[] {
  return counted.flatMap((counts) => {
    const sides = files.filter(({ path }) => path === counts.to);
    if (sides.length < 2) return [counts];
    return [
      { ...counts, added: 0 },
      { ...counts, removed: 0 },
    ];
  });
}

/** Every line with its file and its numbers. */
function linesIn(files: readonly DiffFile[]): readonly string[] {
  return files
    .flatMap(({ path, hunks }) =>
      hunks.flatMap(({ lines }) => lines.map((line) => JSON.stringify([path, line]))),
    )
    .toSorted();
}
