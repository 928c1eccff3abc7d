import { graphemesOf } from './graphemes.ts';

/** Length limit of a tool result's preview (X002-17), `…` included. */
export const previewCharacters = 2000;

/** Returns at most `limit` characters, `…` included; splits no grapheme. */
export function preview(text: string, limit = previewCharacters): string {
  if (text.length <= limit) return text;
  const room = limit - 1;
  // A grapheme that exceeds the limit is left out: the next characters, at most a surrogate pair, are checked too.
  let end = 0;
  for (const { segment, index } of graphemesOf(text.slice(0, limit + 1))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end)}…`;
}
