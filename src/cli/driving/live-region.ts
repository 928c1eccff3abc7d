/**
 * A few lines at the bottom of a terminal that are drawn again and again, with the log above them. Written by hand: the
 * known libraries count rows by the width of the last drawing, so that a narrower window keeps the remains of it.
 */
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../../text/display-width.ts';

export interface LiveRegion {
  /** Draws these lines in place of the former ones. Each must be narrower than the terminal. */
  readonly draw: (lines: readonly string[]) => void;
  /** Removes the lines, calls `write`, and draws them again below its output. */
  readonly above: (write: () => void) => void;
  readonly clear: () => void;
}

export interface RegionOutput {
  readonly write: (text: string) => void;
  /** The present width. */
  readonly columns: () => number;
}

/** Terminals that know it show what is between at once; the others ignore it. */
const begin = '\u001b[?2026h';
const end = '\u001b[?2026l';

export function createLiveRegion({ write, columns }: RegionOutput): LiveRegion {
  let shown: readonly string[] = [];

  /** A narrower window has broken the lines; a wider one has joined them again. */
  function rowsOf(lines: readonly string[]): number {
    const width = Math.max(1, columns());
    const rowsOfLine = (line: string) => Math.ceil(displayWidth(stripVTControlCharacters(line)) / width);
    return lines.reduce((sum, line) => sum + Math.max(1, rowsOfLine(line)), 0);
  }

  function erasure(): string {
    if (shown.length === 0) return '';
    // Line by line: tmux keeps a screen that is cleared from its first row on.
    return `\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(rowsOf(shown) - 1)}`;
  }

  return {
    draw(lines) {
      write(`${begin}${erasure()}${lines.join('\n')}${end}`);
      shown = lines;
    },
    above(print) {
      const before = shown;
      write(`${begin}${erasure()}`);
      shown = [];
      print();
      write(`${before.join('\n')}${end}`);
      shown = before;
    },
    clear() {
      if (shown.length > 0) write(erasure());
      shown = [];
    },
  };
}
