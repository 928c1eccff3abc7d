/** The new side of a file as texts that the rules read, with each line's place in the change. */
import type { DiffFile, DiffLine, Hunk } from '../../parsers/diff/types.ts';
import type { Language } from '../../parsers/languages/language.ts';
import { testLinesOf } from '../../parsers/languages/test-lines.ts';

export interface NewSide {
  readonly text: string;
  /** The lines of the text. */
  readonly texts: readonly string[];
  /** `lines[i]` is line `i` of the text, counted from 0; null if the diff does not show it. */
  readonly lines: readonly (DiffLine | null)[];
  /** Returns true for a line of a test, counted from 0. */
  readonly isTest: (line: number) => boolean;
}

/** In characters. Parsing a larger file costs more than its findings are worth: its hunks are read alone. */
const longestHead = 512 * 1024;

/**
 * Returns the whole new side if the diff shows it or `head` is its text, otherwise each hunk's part. `head` may be
 * unmasked; only lines of the diff are quoted.
 */
export function newSidesOf(file: DiffFile, language: Language, head: string | null): readonly NewSide[] {
  const whole = wholeSide(file, head);
  if (whole !== null) return [sideOf(whole.texts, whole.lines, language)];
  return file.hunks.map((hunk) => {
    const lines = newLinesOf(hunk);
    const texts = lines.map(({ text }) => withoutReturn(text));
    // The diff shows all of a new file.
    return sideOf(file.change === 'added' ? texts : withoutCutComment(texts), lines, language);
  });
}

/** Returns null if the text does not have the lines that the diff shows. */
function wholeSide(
  { hunks }: DiffFile,
  head: string | null,
): { readonly texts: readonly string[]; readonly lines: readonly (DiffLine | null)[] } | null {
  if (head === null || head.length > longestHead) return null;
  const texts = head.split('\n').map(withoutReturn);
  const lines: (DiffLine | null)[] = texts.map(() => null);
  for (const line of hunks.flatMap(newLinesOf)) {
    const index = (line.newLine ?? 0) - 1;
    const text = withoutReturn(line.text);
    if (!isMaskOf(text, texts[index])) return null;
    texts[index] = text;
    lines[index] = line;
  }
  return { texts, lines };
}

function sideOf(texts: readonly string[], lines: NewSide['lines'], language: Language): NewSide {
  let tests: ReadonlySet<number> | null = null;
  return {
    text: texts.join('\n'),
    texts,
    lines,
    isTest: (line) => (tests ??= testLinesOf(texts, language)).has(line),
  };
}

function newLinesOf({ lines }: Hunk): readonly DiffLine[] {
  return lines.filter(({ kind }) => kind !== 'removed');
}

function withoutReturn(text: string): string {
  return text.replace(/\r$/, '');
}

/** Masking keeps the length. */
function isMaskOf(masked: string, text: string | undefined): boolean {
  if (text === undefined || text.length !== masked.length) return false;
  return (
    text === masked ||
    [...masked.split('').entries()].every(([index, char]) => char === '*' || char === text[index])
  );
}

/** Blanks the lines of a comment that begins above the hunk. */
function withoutCutComment(texts: readonly string[]): readonly string[] {
  const end = texts.findIndex((text) => !/^\s*(\*(?!\/)(?=\s|$|\*)|$)/.test(text));
  const isClosed = /^\s*\*\//.test(texts[end] ?? '');
  if (!isClosed && !/^\s*\*/.test(texts.find((text) => text.trim() !== '') ?? '')) return texts;
  return texts.map((text, index) => {
    if (index < end || end < 0) return '';
    return index === end && isClosed ? text.replace(/^\s*\*\//, '') : text;
  });
}
