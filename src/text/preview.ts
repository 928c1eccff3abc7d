import { graphemesOf } from './graphemes.ts';

/** What fits into a preview of a tool's result (X002-17); `…` counts. */
export const previewCharacters = 2000;

/** At most `limit` characters, `…` included; no grapheme is split. */
export function preview(text: string, limit = previewCharacters): string {
  if (text.length <= limit) return text;
  const room = limit - 1;
  // A grapheme that goes on beyond the room is left out: what follows, a surrogate pair at the most, is looked at too.
  let end = 0;
  for (const { segment, index } of graphemesOf(text.slice(0, limit + 1))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end)}…`;
}
