/** A diff with its added and removed lines in colors. */
import { styled, type Line } from '../../text/spans.ts';
import type { Style } from '../../text/paint.ts';

/** More lines than these are folded. */
export const unfoldedLines = 30;

/** The header of a file becomes its path, and what a reader would miss: a new name, an unusual mode. */
export function colorDiff(diff: string): readonly Line[] {
  const lines: Line[] = [];
  let isHeader = /^--- .*\n\+\+\+ /.test(diff);
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const opens = line.startsWith('diff --git ');
    isHeader = opens || (isHeader && !line.startsWith('@@'));
    if (opens) lines.push([styled(/^diff --git a\/(.+) b\/\1$/.exec(line)?.[1] ?? line, 'bold')]);
    else if (!isHeader) lines.push(line === '' ? [] : [styled(line, ...stylesOf(line))]);
    else if (!isUsualHeader(line)) lines.push([styled(line, 'bold')]);
  }
  return lines;
}

function isUsualHeader(line: string): boolean {
  return /^(?:index |--- |\+\+\+ |(?:new|deleted) file mode 100644$)/.test(line);
}

/** Keeps the first lines of a long diff, and counts the others. */
export function foldLongDiff(lines: readonly Line[]): readonly Line[] {
  if (lines.length <= unfoldedLines) return lines;
  const kept = lines.slice(0, unfoldedLines - 1);
  return [...kept, [styled(`… ${lines.length - kept.length} more lines`, 'dim')]];
}

function stylesOf(line: string): readonly Style[] {
  if (line.startsWith('@@')) return ['cyan'];
  if (line.startsWith('+')) return ['green'];
  return line.startsWith('-') ? ['red'] : ['dim'];
}
