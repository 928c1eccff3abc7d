import type { TextLine } from '../markdown/markdown-document.ts';

/** The level of plain lines (`**NAME**`, `NAME:`, `NAME`), below the six levels of headings. */
export const plainLevel = 7;

export interface SectionHead {
  /** The section's constant. */
  readonly name: string;
  readonly level: number;
}

/** In characters. */
const longestHead = 300;

/** Reads a line as the heading of one of the named sections (X001-2). */
export function readSectionHead(textLine: TextLine, names: readonly string[]): SectionHead | null {
  const text = textLine.line.text;
  if (text.length > longestHead || /^(?: {4}| {0,3}\t)/.test(text)) return null;
  const name = nameIn(headingText(text), names);
  if (textLine.depth !== null) return name === null ? null : { name, level: textLine.depth };
  return name !== null && isPlainHead(text) ? { name, level: plainLevel } : null;
}

/** Returns a heading's text without its number signs. */
export function headingText(text: string): string {
  return text
    .trim()
    .replace(/^#{1,6}(?=[ \t])/, '')
    .replace(/[ \t]+#+$/, '')
    .trim();
}

function nameIn(text: string, names: readonly string[]): string | null {
  const words = stripDecoration(text);
  const mixed = /^[^A-Za-z]*[(（]\s*([A-Za-z][A-Za-z_ -]*?)\s*[)）]$/.exec(
    text.replaceAll(/[*`]/g, '').trim(),
  );
  return matching(words, names) ?? (mixed === null ? null : matching(mixed[1] ?? '', names));
}

function matching(words: string, names: readonly string[]): string | null {
  const constant = words.replaceAll(/[\s-]+/g, '_').toUpperCase();
  return names.find((name) => constant === name || constant === `${name}S`) ?? null;
}

/** Strips emphasis, numbering, emoji, a trailing colon and a trailing parenthetical. */
function stripDecoration(text: string): string {
  return text
    .replaceAll(/[*`]/g, '')
    .replace(/^[^\p{L}]+/u, '')
    .trimEnd()
    .replace(/[^\p{L}\p{N}()（）]+$/u, '')
    .replace(/\s*[(（][^()（）]*[)）]$/, '')
    .replace(/[^\p{L}\p{N}]+$/u, '');
}

/** Treats a plain line as a heading if it is bold, ends with a colon, or is the bare constant in capitals. */
function isPlainHead(text: string): boolean {
  const trimmed = text.trim();
  const bold = /^[^\p{L}*_]*(\*{1,3}|_{2,3})(?=\S).*\1[^\p{L}]*(?:[(（][^()（）]*[)）])?[:：]?$/u.test(
    trimmed,
  );
  return bold || /[:：](?:\*{1,3}|_{2,3})?$/.test(trimmed) || !/\p{Ll}/u.test(stripDecoration(trimmed));
}
