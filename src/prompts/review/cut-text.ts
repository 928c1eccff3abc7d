/** Returns the text up to `mostBytes`, cut at the end of a line if there is one, with a note. */
export function cutText(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return text;
  const kept = bytes
    .subarray(0, Math.max(0, mostBytes - mostNoteBytes))
    .toString('utf8')
    .replace(/\uFFFD$/u, '');
  const end = kept.lastIndexOf('\n');
  const shown = end === -1 ? kept : kept.slice(0, end);
  return `${shown}\n[cut: ${bytes.length - Buffer.byteLength(shown)} more bytes]`;
}

const mostNoteBytes = 32;
