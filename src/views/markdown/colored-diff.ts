/** A diff with its added and removed lines in colors. */
import { styled, type Line } from '../../text/spans.ts';
import type { Style } from '../../text/paint.ts';

/** More lines than these are folded. */
export const unfoldedLines = 30;

export function colorDiff(diff: string): readonly Line[] {
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? [] : [styled(line, ...stylesOf(line))]));
}

/** Keeps the first lines of a long diff, and counts the others. */
export function foldLongDiff(lines: readonly Line[]): readonly Line[] {
  if (lines.length <= unfoldedLines) return lines;
  const kept = lines.slice(0, unfoldedLines - 1);
  return [...kept, [styled(`… ${lines.length - kept.length} more lines`, 'dim')]];
}

function stylesOf(line: string): readonly Style[] {
  if (/^(?:\+\+\+|---|diff |index |rename |similarity |new file|deleted file)/.test(line)) return ['bold'];
  if (line.startsWith('@@')) return ['cyan'];
  if (line.startsWith('+')) return ['green'];
  return line.startsWith('-') ? ['red'] : ['dim'];
}
