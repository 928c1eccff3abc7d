/** Renders text for a model: numbered, limited, and with a note for every cut. */
import { refuse } from '../definition/define-tool.ts';
import type { ToolOutcome } from '../definition/interfaces.ts';

export interface LineWindow {
  readonly path: string;
  /** The first line, from 1. */
  readonly offset: number;
  readonly limit: number;
}

/** Limit of one tool result. */
export const resultLimitBytes = 64 * 1024;
export const defaultLineLimit = 2000;
const lineLimitCharacters = 2000;

/** Renders the lines of a masked text with their numbers. */
export function renderLines(text: string, { path, offset, limit }: LineWindow): ToolOutcome {
  const lines = splitLines(text);
  if (lines.length === 0) return { content: '(the file is empty)', isError: false, data: { path, lines: 0 } };
  if (offset > lines.length) return refuse(`${path} has ${lines.length} lines; there is no line ${offset}.`);
  const wanted = lines
    .slice(offset - 1, offset - 1 + limit)
    .map((line, index) => `${offset + index}\t${cutLine(line, lineLimitCharacters)}`);
  const shown = takeBytes(wanted, resultLimitBytes);
  const last = offset + shown.length - 1;
  const rest =
    last < lines.length
      ? [`(lines ${offset} to ${last} of ${lines.length}; continue with offset ${last + 1})`]
      : [];
  return {
    content: [...shown, ...rest].join('\n'),
    isError: false,
    data: { path, first_line: offset, last_line: last, lines: lines.length },
  };
}

/** Renders a text from its beginning, in whole lines, with a note if it is cut. */
export function renderBounded(text: string, remedy: string): string {
  const lines = splitLines(text).map((line) => cutLine(line, lineLimitCharacters));
  const shown = takeBytes(lines, resultLimitBytes);
  if (shown.length === lines.length) return shown.join('\n');
  return [...shown, `(cut: ${shown.length} of ${lines.length} lines; ${remedy})`].join('\n');
}

export function splitLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

export function cutLine(line: string, limitCharacters: number): string {
  if (line.length <= limitCharacters) return line;
  return `${line.slice(0, limitCharacters).replace(/[\uD800-\uDBFF]$/, '')} (cut: the line has ${line.length} characters)`;
}

/** Returns as many of the first lines as fit, at least one. */
export function takeBytes(lines: readonly string[], limitBytes: number): readonly string[] {
  let sizeBytes = 0;
  const end = lines.findIndex((line) => (sizeBytes += Buffer.byteLength(line) + 1) > limitBytes);
  return end < 0 ? lines : lines.slice(0, Math.max(end, 1));
}
