/**
 * Splits a line into words, quoted as in a shell: 'as it is', "with \" and \\", and \ before a letter. Expands nothing.
 */
import type { Refused } from '../files/inside-path.ts';

export interface ShellWord {
  readonly text: string;
  /** Written with quotes or a backslash: then `--word` is not an option. */
  readonly quoted: boolean;
}

export function splitWords(
  line: string,
): { readonly ok: true; readonly words: readonly ShellWord[] } | Refused {
  const words: ShellWord[] = [];
  for (let rest = line.trimStart(); rest !== ''; rest = rest.trimStart()) {
    const word = takeWord(rest);
    if (word === null) return { ok: false, why: `A quote is opened and not closed: ${rest}` };
    words.push({ text: word.text, quoted: word.quoted });
    rest = rest.slice(word.length);
  }
  return { ok: true, words };
}

/** Quotes a text as one word. */
export function quoteWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith('--')
    ? text
    : `'${text.replaceAll("'", `'\\''`)}'`;
}

const piece = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\]+)|(\\$)/y;

/** Reads the first word of a text without a leading space; null if a quote is not closed. */
function takeWord(text: string): (ShellWord & { readonly length: number }) | null {
  let [word, quoted, at] = ['', false, 0];
  while (at < text.length && !/\s/.test(text[at] ?? '')) {
    piece.lastIndex = at;
    const match = piece.exec(text);
    if (match === null) return null;
    const [whole, single, double, escaped, plain, lastBackslash] = match;
    word += single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain ?? lastBackslash ?? '';
    if (plain === undefined) quoted = true;
    at += whole.length;
  }
  return { text: word, quoted, length: at };
}
