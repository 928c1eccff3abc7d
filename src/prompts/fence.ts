/** The three ways in which a text that is not ours may stand in a prompt; no marker in it counts (X001-14). */
import { createHash } from 'node:crypto';
import { renderFence } from '../parsers/fence.ts';

/**
 * Foreign text with a label at both ends. The label is a digest of the text: it is the same in every rendering,
 * and a text cannot name its own.
 */
export function fenceAsData(text: string, language = 'text'): string {
  const label = `data-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
  return `${renderFence(text.replace(/\n$/, ''), `${language} ${label}`)}\nEnd of ${label}.`;
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
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  const marks = '`'.repeat(Math.max(0, ...runs) + 1);
  const pad = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${pad}${line}${pad}${marks}`;
}
