import type { ReviewIssue } from '../answers/answer-types.ts';

/**
 * Reads lines copied from the change: `-` before every line means the old side, `+` the new one. Without a `diff` fence
 * the file itself may have it, as a list or `---`, so that the lines as written are kept, too.
 */
export function readQuote(code: string, language: string | null): ReviewIssue['quote'] {
  const lines = code.replaceAll(/\r\n?/g, '\n').split('\n');
  if (lines.every((line) => line.trim() === '')) return null;
  const literal = language === 'diff' ? {} : { literal: lines.join('\n') };
  if (lines.every((line) => line.startsWith('-')))
    return { text: withoutMarks(lines), side: 'old', ...literal };
  if (lines.every((line) => line.startsWith('+')))
    return { text: withoutMarks(lines), side: 'new', ...literal };
  if (language === 'diff') return { text: newSideOf(lines), side: 'new' };
  return { text: lines.join('\n'), side: 'new' };
}

function newSideOf(lines: readonly string[]): string {
  const kept = lines.filter((line) => !line.startsWith('-') && !line.startsWith('@@'));
  return kept.map((line) => line.replace(/^[+ ]/, '')).join('\n');
}

function withoutMarks(lines: readonly string[]): string {
  return lines.map((line) => line.slice(1)).join('\n');
}
