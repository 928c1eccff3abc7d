/**
 * The closing line of an answer, our extension: `END <nonce>`. Only a reader of our prompt can write it, so an answer
 * without findings counts only if it has this line.
 */
import type { Tag } from './tags.ts';

const closedAnswers: readonly Tag[] = ['[RESPONSE:REVIEW]'];

/** Returns true for an answer whose form ends with a closing line. */
export function hasClosingLine(answer: Tag): boolean {
  return closedAnswers.includes(answer);
}

export function closingLine(nonce: string): string {
  return `END ${nonce}`;
}

/**
 * Returns the closing line that one of our prompts asks for, or null if it asks for none. Used by agents that are not
 * models.
 */
export function closingLineIn(prompt: string): string | null {
  return /`(END [0-9a-f]{16})`/.exec(prompt)?.[1] ?? null;
}

/** Returns an answer without its last line if that is the closing line; otherwise null. */
export function withoutClosingLine(text: string, nonce: string): string | null {
  const lines = text.trimEnd().split('\n');
  const last = lines.pop()?.replace(/\r$/, '') ?? '';
  return isClosingLine(last, nonce) ? lines.join('\n') : null;
}

/** Returns true for a source line that contains only the closing line, decorated or not. */
export function isClosingLine(text: string, nonce: string): boolean {
  const line = closingLineAlone(text);
  return line !== null && line.toLowerCase() === closingLine(nonce).toLowerCase();
}

/** Returns true for a source line that contains only a closing line, for whichever request. */
export function looksLikeClosingLine(text: string): boolean {
  return closingLineAlone(text) !== null;
}

function closingLineAlone(text: string): string | null {
  const line = /^ {0,3}[*_`]{0,4}(END[ \t]+[0-9A-Fa-f]+)[*_`]{0,4}[ \t]*$/.exec(text)?.[1];
  return line?.replace(/[ \t]+/, ' ') ?? null;
}
