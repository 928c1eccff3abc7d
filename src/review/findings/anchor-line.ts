/** Finds the line by which a finding is recognized after the code around it changed. */
import type { Anchor } from '../../events/collab-event.ts';
import { withoutCarriageReturn } from '../../parsers/diff/lines.ts';
import { countWhile } from '../../system/binary-search.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import type { AnchorMatch, Side } from './anchor-match.ts';
import { normaliseSpace } from './fingerprint.ts';

interface SideLine {
  readonly number: number;
  readonly text: string;
  readonly symbol: string | null;
}

/** Returns the anchor of matched lines. */
export function anchorIn(file: DiffFile, { side, startLine, endLine }: AnchorMatch): Anchor | null {
  const { lines, byText } = linesOnSide(file, side);
  const upTo = (last: number): number =>
    countWhile(lines.length, (index) => (lines[index]?.number ?? Infinity) <= last);
  const matched = lines.slice(upTo(startLine - 1), upTo(endLine));
  const line = mostTelling(matched, ({ text }) => byText.get(text)?.length ?? 1);
  if (line === null) return null;
  const equal = (byText.get(line.text) ?? []).filter(({ symbol }) => symbol === line.symbol);
  return { line: line.text, symbol: line.symbol, ordinal: equal.indexOf(line) + 1 };
}

/** Returns the anchor of a quotation whose place is unknown. */
export function anchorOfText(text: string | null): Anchor | null {
  const lines = linesOfText(text).map((line) => ({ text: line }));
  const line = mostTelling(lines, () => 1);
  return line === null ? null : { line: line.text, symbol: null, ordinal: 0 };
}

/** Returns the lines of a quotation as anchors have them; empty ones are left out. */
export function linesOfText(text: string | null): readonly string[] {
  return (text ?? '')
    .split('\n')
    .map(normaliseSpace)
    .filter((line) => line !== '');
}

/** Returns the number of letters and digits. */
export function weightOf(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** The longest line; of two, the one that is less frequent in the file, then the first. */
function mostTelling<Line extends { readonly text: string }>(
  lines: readonly Line[],
  frequencyOf: (line: Line) => number,
): Line | null {
  const [best] = lines
    .filter(({ text }) => text !== '')
    .map((line) => ({ line, weight: weightOf(line.text), frequency: frequencyOf(line) }))
    .toSorted((left, right) => right.weight - left.weight || left.frequency - right.frequency);
  return best?.line ?? null;
}

interface LinesOfFile {
  readonly lines: readonly SideLine[];
  readonly byText: ReadonlyMap<string, readonly SideLine[]>;
}

/** An answer may contain a hundred findings, a change a million lines. */
const linesOfFile = new WeakMap<DiffFile, Map<Side, LinesOfFile>>();

function linesOnSide(file: DiffFile, side: Side): LinesOfFile {
  const known = linesOfFile.get(file) ?? new Map<Side, LinesOfFile>();
  linesOfFile.set(file, known);
  const lines = known.get(side) ?? readSide(file, side);
  known.set(side, lines);
  return lines;
}

function readSide(file: DiffFile, side: Side): LinesOfFile {
  const lines: SideLine[] = [];
  const byText = new Map<string, SideLine[]>();
  for (const hunk of file.hunks) {
    let symbol = hunk.heading === '' ? null : symbolIn(hunk.heading);
    for (const { text, oldLine, newLine } of hunk.lines) {
      const number = side === 'new' ? newLine : oldLine;
      if (number === null) continue;
      const whole = withoutCarriageReturn(text);
      if (opensSymbol(whole)) symbol = symbolIn(whole);
      const line = { number, text: normaliseSpace(whole), symbol };
      lines.push(line);
      const equal = byText.get(line.text);
      if (equal === undefined) byText.set(line.text, [line]);
      else equal.push(line);
    }
  }
  return { lines, byText };
}

/** The headings of git's hunks are such lines, so that the symbol does not depend on how much of the file is shown. */
function opensSymbol(line: string): boolean {
  return /^[\p{L}_$]/u.test(line);
}

const named =
  /\b(?:class|interface|struct|enum|trait|impl|type|module|namespace|object|record|const|let|var|def|fn|func|function)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;
const called = /([\p{L}_$][\p{L}\p{N}_$]*)\s*\(/u;
/** Git shortens a heading to 80 bytes. */
const longestSymbol = 40;

/** Returns the name that a line declares, else its beginning. */
function symbolIn(line: string): string {
  const name = named.exec(line)?.[1] ?? called.exec(line)?.[1] ?? normaliseSpace(line);
  return name.slice(0, longestSymbol);
}
