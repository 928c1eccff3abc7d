import { allTags, type Tag } from '../../tags/tags.ts';

export interface MarkerLine {
  readonly tag: Tag;
  /** True if the tag differs from the protocol's form in case or inner spaces (X001-1). */
  readonly lenient: boolean;
  /** The column of the line's first character, a decoration included; counted from the line's start. */
  readonly column: number;
  /** The text after the colon; null if there is no colon. */
  readonly rest: string | null;
}

export interface TagMention {
  readonly tag: Tag;
  readonly column: number;
}

const word = '[ \\t]*([A-Za-z]+)[ \\t]*';
const tagPattern = `\\[${word}:${word}(?::${word})?\\]`;
const markerPattern = new RegExp(`^( {0,3}(?:#{1,6}[ \\t]+)?)([*_\`]{0,4})(${tagPattern})(.*)$`, 's');

/** Reads a source line as a marker: a tag, optionally decorated, optionally followed by a colon and text. */
export function readMarkerLine(text: string): MarkerLine | null {
  const match = markerPattern.exec(text);
  if (match === null) return null;
  const [, indent = '', opening = '', written = '', first = '', second = '', third, tail = ''] = match;
  const tag = tagNamed(first, second, third);
  const rest = readTail(tail, opening.split('').toReversed().join(''));
  if (tag === null || rest === undefined) return null;
  return { tag, lenient: written !== tag, column: indent.length, rest };
}

/** Returns every tag in a line, at any column. */
export function tagsNamedIn(text: string): readonly TagMention[] {
  return [...text.matchAll(new RegExp(tagPattern, 'g'))].flatMap((match) => {
    const tag = tagNamed(match[1] ?? '', match[2] ?? '', match[3]);
    return tag === null ? [] : [{ tag, column: match.index }];
  });
}

function tagNamed(...words: readonly (string | undefined)[]): Tag | null {
  const wanted = `[${words.filter((part) => part !== undefined).join(':')}]`.toUpperCase();
  return allTags.find((tag) => tag === wanted) ?? null;
}

/** Returns undefined if the text after the tag makes the line prose. */
function readTail(tail: string, closing: string): string | null | undefined {
  const colonInside = /^[:：]/.test(tail) && tail.startsWith(closing, 1);
  if (colonInside) return tail.slice(1 + closing.length).trim();
  if (!tail.startsWith(closing)) return undefined;
  const behind = tail.slice(closing.length);
  if (/^[ \t]*(?:[ \t]#+[ \t]*)?$/.test(behind)) return null;
  return /^[:：]/.test(behind) ? behind.slice(1).trim() : undefined;
}
