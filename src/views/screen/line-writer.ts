/** Counts the line endings written last, so that each rule about empty lines is met exactly (X000-3). */
export function createLineWriter(write: (text: string) => void) {
  let lineEnds = 1;
  let indentation = '';
  let wanted: number | null = null;
  let leading = '';

  function reach(count: number): void {
    const missing = Math.max(0, count - lineEnds);
    if (missing > 0) write('\n'.repeat(missing));
    lineEnds += missing;
  }

  function put(text: string): void {
    if (text === '') return;
    const indented = text.replace(/^(?=[^\n])/gm, (_, index: number) =>
      index > 0 || lineEnds > 0 ? indentation : '',
    );
    write(indented);
    const own = text.length - text.replace(/\n+$/, '').length;
    lineEnds = own === text.length ? lineEnds + own : own;
  }

  /** Opens a text once it has shown something; returns false while it was only white space. */
  function opens(piece: string): boolean {
    leading += piece;
    if (leading.trim() === '') return false;
    const begin = leading.search(/\S/);
    const brought = leading.slice(0, begin);
    reach(Math.max(wanted ?? 0, brought.split('\n').length - 1));
    put(brought.slice(brought.lastIndexOf('\n') + 1) + leading.slice(begin));
    return true;
  }

  return {
    /** Writes one whole line, after at least `lineEnds` line endings: 1 begins a line, 2 leaves an empty one before it. */
    line(text: string, count: number): void {
      wanted = null;
      reach(count);
      put(`${text}\n`);
    },
    /**
     * Writes a piece of running text. Leading white space is held back until something visible follows; returns true when
     * something visible has been written.
     */
    text(piece: string): boolean {
      if (wanted === null) put(piece);
      else if (opens(piece)) wanted = null;
      return wanted === null;
    },
    /** Begins the next text after at least `lineEnds` line endings, including its own. */
    beginText(count: number): void {
      wanted = count;
      leading = '';
    },
    /** Indents every following line. */
    indent(columns: number): void {
      indentation = ' '.repeat(columns);
    },
    /** Ends an unfinished line. */
    finish(): void {
      wanted = null;
      reach(1);
    },
  };
}
