import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Yields the lines of a UTF-8 stream, without their ends. Only `\n` ends a line (U+2028 does not), an
 * unfinished last line counts as one, and a line above `maxChars` is cut to that length. A stream that breaks
 * off simply ends. Between two chunks, the event loop turns: a flood of lines neither blocks it nor is read ahead.
 */
export async function* readLines(stream: Readable, maxChars: number): AsyncGenerator<string, void, void> {
  stream.setEncoding('utf8');
  let pieces: string[] = [];
  let size = 0;
  const keep = (piece: string): void => {
    const kept = piece.slice(0, maxChars - size);
    if (kept !== '') pieces.push(kept);
    size += kept.length;
  };
  const take = (): string => {
    const line = pieces.join('');
    pieces = [];
    size = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  };
  for await (const chunk of textOf(stream)) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      keep(chunk.slice(from, end));
      yield take();
      from = end + 1;
    }
    keep(chunk.slice(from));
  }
  if (size > 0) yield take();
}

async function* textOf(stream: Readable): AsyncGenerator<string, void, void> {
  try {
    for await (const chunk of stream) {
      yield String(chunk);
      await nextTurn();
    }
  } catch {
    // The pipe was destroyed because the child ended or was killed; the child's ending has the reason.
  }
}
