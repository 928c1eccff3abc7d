/** The three ways in which a text that is not ours may stand in a prompt; no marker in it counts (X001-14). */
import { createHash } from 'node:crypto';

/** A fence longer than any run of backticks in `text`, so that nothing inside can close it. */
export function fence(text: string, info = ''): string {
  const marks = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1));
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${marks}${info}\n${body}${marks}`;
}

/**
 * Foreign text with a label at both ends. The label is a digest of the text: it is the same in every rendering,
 * and a text cannot name its own.
 */
export function fenceAsData(text: string, language = 'text'): string {
  const label = `data-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  return `${fence(text, `${language} ${label}`)}\nEnd of ${label}.`;
}

/** Words of the lead or the user as a block quote; every line carries the mark, so none is lazily continued. */
export function quoteLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** A name on one line as a code span. */
export function codeSpan(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').trim();
  const marks = '`'.repeat(longestBacktickRun(line) + 1);
  const pad = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${pad}${line}${pad}${marks}`;
}

function longestBacktickRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
