/** Joins the new side of a hunk into one text, and maps its lines back to the diff. */
import type { DiffLine, Hunk } from '../../parsers/diff/types.ts';

export interface NewSide {
  readonly text: string;
  /** `lines[i]` is line `i` of the text, counted from 0. */
  readonly lines: readonly DiffLine[];
}

/** Returns the new side. A hunk is a fragment: if it begins inside a block comment, the comment's lines are left blank. */
export function newSideOf(hunk: Hunk): NewSide {
  const lines = hunk.lines.filter(({ kind }) => kind !== 'removed');
  const texts = lines.map(({ text }) => text.replace(/\r$/, ''));
  return { lines, text: withoutCutComment(texts).join('\n') };
}

function withoutCutComment(texts: readonly string[]): readonly string[] {
  const end = texts.findIndex((text) => !/^\s*(\*(?!\/)|$)/.test(text));
  if (!/^\s*\*\//.test(texts[end] ?? '')) return texts;
  return texts.map((text, index) => {
    if (index < end) return '';
    return index === end ? text.replace(/^\s*\*\//, '') : text;
  });
}
