/** Shows more of the changed files than git does, within a budget: whole functions first, then whole small files. */
import { functionsAround, readIndents, type ShownSpan } from './enclosing-function.ts';
import { renderDiffFile } from './render.ts';
import { showLines } from './show-lines.ts';
import type { DiffFile } from './types.ts';
import { widenHunks } from './widen.ts';

export const contextLevels = ['diff', 'functions', 'files', 'related'] as const;
export type ContextLevel = (typeof contextLevels)[number];

/** The bytes that each level adds to the diff. */
export type ContextCosts = Readonly<Record<ContextLevel, number>>;

export interface WidenedChange {
  readonly files: readonly DiffFile[];
  readonly costs: ContextCosts;
}

/** In lines. A longer function keeps git's context. */
const longestFunction = 400;
/** In lines. A function within one that is not longer is shown with it. */
const smallFunction = 80;
/** In bytes. */
const smallFile = 8 * 1024;
/** In bytes. A larger file is not searched for functions. */
const largestFile = 1024 * 1024;

/** The most lines of a change whose functions are searched for. */
const mostSearches = 5000;

/** `textOf` returns a file's new side; null if it is unknown. Changed lines and their numbers stay as they are. */
export function widenChange(
  files: readonly DiffFile[],
  textOf: (file: DiffFile) => string | null,
  level: ContextLevel,
): WidenedChange {
  const texts = files.map((file) => (isChangedInPart(file) ? textOf(file) : null));
  const asInGit = files.map((file, index) => ({ file, text: texts[index] ?? null }));
  const whole = asInGit.map(({ file, text }) => ({
    file: text === null ? file : widenHunks(file, text),
    text,
  }));
  const budget = budgetFor(bytesOf(files));
  const searches = { left: mostSearches };
  const functions = spendOn(whole, budget, ({ file, text }) => functionsIn(file, text, searches));
  const small = spendOn(functions.files, budget - functions.spent, ({ text }) => wholeOf(text));
  const all = functions.spent + small.spent;
  const costs = { diff: 0, functions: functions.spent, files: all, related: all };
  // Related files are not part of the diff.
  const shown = { diff: asInGit, functions: functions.files, files: small.files, related: small.files }[
    level
  ];
  return { files: shown.map(({ file }) => file), costs };
}

/** In bytes: as much as the change itself, but enough for a small one and not too much for a large one. */
function budgetFor(changeBytes: number): number {
  return Math.min(Math.max(changeBytes, leastBudget), mostBudget);
}

const leastBudget = 48 * 1024;
const mostBudget = 512 * 1024;

interface FileWithText {
  readonly file: DiffFile;
  readonly text: string | null;
}

/** Shows the cheapest spans first. */
function spendOn(
  files: readonly FileWithText[],
  budget: number,
  spansOf: (file: FileWithText) => readonly ShownSpan[],
): { readonly files: readonly FileWithText[]; readonly spent: number } {
  const wanted = files
    .flatMap((one, index) => spansOf(one).map((span) => ({ index, span, cost: costOf(one, span) })))
    .toSorted((one, other) => one.cost - other.cost);
  const chosen = new Map<number, ShownSpan[]>();
  let left = budget;
  for (const { index, span, cost } of wanted) {
    if (cost > left) break;
    left -= cost;
    chosen.set(index, [...(chosen.get(index) ?? []), span]);
  }
  const shown = files.map(({ file, text }, index) => {
    const spans = chosen.get(index);
    return { file: spans === undefined || text === null ? file : showLines(file, text, spans), text };
  });
  const spent = bytesOf(shown.map(({ file }) => file)) - bytesOf(files.map(({ file }) => file));
  return { files: shown, spent: Math.max(0, spent) };
}

/** Returns the bytes of the span's lines that the file does not show yet. */
function costOf({ file, text }: FileWithText, { start, end }: ShownSpan): number {
  const visible = (line: number): boolean =>
    file.hunks.some(({ newStart, newLines }) => line >= newStart && line < newStart + newLines);
  const lines = (text ?? '').split('\n').slice(start - 1, end);
  return lines.reduce(
    (sum, line, index) => sum + (visible(start + index) ? 0 : Buffer.byteLength(line) + 2),
    0,
  );
}

function functionsIn(file: DiffFile, text: string | null, searches: { left: number }): readonly ShownSpan[] {
  if (text === null || text.length > largestFile) return [];
  const read = readIndents(text);
  const spans: ShownSpan[] = [];
  for (const { line, isRemoval } of changedPlaces(file)) {
    if (spans.some(({ start, end }) => line >= start && line <= end)) continue;
    searches.left -= 1;
    if (searches.left < 0) break;
    const fitting = functionsAround(read, line).filter(
      // Lines above the first line of a function were not in it.
      ({ start, end }) => end - start < longestFunction && !(isRemoval && start === line),
    );
    const outer = fitting.findLast(({ start, end }) => end - start < smallFunction);
    const span = outer ?? fitting[0];
    if (span !== undefined) spans.push(span);
  }
  return spans;
}

interface ChangedPlace {
  readonly line: number;
  /** True if lines are only removed, right above the line. */
  readonly isRemoval: boolean;
}

/** Returns the lines of the new side that are added, or that follow removed ones. */
function changedPlaces({ hunks }: DiffFile): readonly ChangedPlace[] {
  const places = new Map<number, boolean>();
  for (const hunk of hunks) {
    let next = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart;
    for (const { kind } of hunk.lines) {
      if (kind === 'added') places.set(next, false);
      if (kind === 'removed' && !places.has(next)) places.set(next, true);
      if (kind !== 'removed') next += 1;
    }
  }
  return [...places].map(([line, isRemoval]) => ({ line, isRemoval }));
}

function wholeOf(text: string | null): readonly ShownSpan[] {
  if (text === null || text === '' || Buffer.byteLength(text) > smallFile) return [];
  return [{ start: 1, end: text.split('\n').length }];
}

function isChangedInPart({ change, binary, hunks }: DiffFile): boolean {
  return !binary && hunks.length > 0 && change !== 'added' && change !== 'deleted';
}

function bytesOf(files: readonly DiffFile[]): number {
  return files.reduce((sum, file) => sum + Buffer.byteLength(renderDiffFile(file)), 0);
}
