/** Cuts the text of an agent, as it arrives, into Markdown that no later piece changes and the lines of the protocol. */
import { looksLikeClosingLine } from '../../tags/closing-line.ts';
import { allTags, type Tag } from '../../tags/tags.ts';

export type TextPart =
  | { readonly kind: 'markdown'; readonly text: string }
  /** A tag on a line of its own, outside of code. */
  | { readonly kind: 'tag'; readonly tag: Tag };

export interface TextParts {
  /** Returns the blocks that are whole now. A line at the margin after an empty line begins the next block. */
  push(piece: string): readonly TextPart[];
  /** Returns the rest. The next piece begins another text. */
  end(): readonly TextPart[];
}

export function createTextParts(): TextParts {
  let line = '';
  let block: string[] = [];
  /** The marks that close the code in which the text is; null outside of code. */
  let fence: string | null = null;
  let isAfterEmptyLine = false;

  function flush(): readonly TextPart[] {
    const text = block.join('\n');
    block = [];
    isAfterEmptyLine = false;
    return text.trim() === '' ? [] : [{ kind: 'markdown', text }];
  }

  function takeLine(text: string): readonly TextPart[] {
    const marks = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(text);
    if (fence !== null) {
      if (marks?.[1]?.startsWith(fence) === true && marks[2]?.trim() === '') fence = null;
      block.push(text);
      return [];
    }
    const tag = allTags.find((known) => known === text.trim());
    if (tag !== undefined) return [...flush(), { kind: 'tag', tag }];
    if (looksLikeClosingLine(text)) return [];
    const isNew = isAfterEmptyLine && /^\S/.test(text);
    const whole = isNew ? flush() : [];
    isAfterEmptyLine = text.trim() === '';
    fence = marks?.[1] ?? null;
    block.push(text);
    return whole;
  }

  return {
    push(piece) {
      const lines = (line + piece).split('\n');
      line = lines.pop() ?? '';
      return lines.flatMap((text) => takeLine(text.replace(/\r$/, '')));
    },
    end() {
      const last = line === '' ? [] : takeLine(line);
      [line, fence] = ['', null];
      return [...last, ...flush()];
    },
  };
}
