/** Reads a text line by line without splitting it first: a diff may have 256 MB. Only `\n` ends a line. */
export interface LineReader {
  /** Returns the next line without its `\n`; null at the end. */
  peek(): string | null;
  take(): string | null;
  /** Returns the 1-based number of the line that `peek` returns. */
  lineNumber(): number;
}

export function createLineReader(text: string): LineReader {
  let start = 0;
  let number = 1;
  let end = lineEnd(text, start);
  let current = text === '' ? null : text.slice(start, end);
  return {
    peek: () => current,
    take() {
      const taken = current;
      if (taken === null) return null;
      start = end + 1;
      number += 1;
      end = lineEnd(text, start);
      current = start < text.length ? text.slice(start, end) : null;
      return taken;
    },
    lineNumber: () => number,
  };
}

export function withoutCarriageReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}
