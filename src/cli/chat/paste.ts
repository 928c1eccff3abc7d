/**
 * Bracketed paste for a line editor that handles only lines: the line ends and tabs of pasted text become
 * visible marks, so that it stays one input and completes nothing, and are restored when the line is taken.
 */

export const pasteOn = '\u001b[?2004h';
export const pasteOff = '\u001b[?2004l';

const begin = '\u001b[200~';
const end = '\u001b[201~';
/** Shown for a line end within an input. */
export const lineMark = '⏎';
const tabMark = '⇥';

export function createPasteFilter() {
  let held = '';
  let pasting = false;
  return {
    /** Returns the part of an input that the line editor may read. */
    push(piece: string): string {
      let rest = held + piece;
      let read = '';
      for (;;) {
        const mark = pasting ? end : begin;
        const at = rest.indexOf(mark);
        if (at < 0) break;
        read += take(rest.slice(0, at), pasting);
        rest = rest.slice(at + mark.length);
        pasting = !pasting;
      }
      const keep = cutMark(rest, pasting ? end : begin);
      held = rest.slice(rest.length - keep);
      return read + take(rest.slice(0, rest.length - keep), pasting);
    },
  };
}

/** Restores the pasted line ends and tabs. */
export function unfoldPaste(line: string): string {
  return line.replaceAll(lineMark, '\n').replaceAll(tabMark, '\t');
}

/** Puts a text on one line, as the editor shows it. */
export function foldPaste(text: string): string {
  return (
    text
      .replaceAll(/\r\n?|\n/g, lineMark)
      .replaceAll('\t', tabMark)
      // Other characters that move the cursor or are keys are not text.
      .replaceAll(/\p{Cc}/gu, '')
  );
}

function take(text: string, pasted: boolean): string {
  return pasted ? foldPaste(text) : text;
}

/** Returns how many characters at the end may begin the mark. An escape alone is a key. */
function cutMark(text: string, mark: string): number {
  for (let length = mark.length - 1; length > 2; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  // A paste ends with a mark; a piece of it may end with CR, and its LF may follow in the next one.
  return mark === end && text.endsWith('\r') ? 1 : 0;
}
