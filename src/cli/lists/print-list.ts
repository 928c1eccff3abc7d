import { createPaint } from '../../text/paint.ts';
import { paintLine, type Line } from '../../text/spans.ts';
import type { Session } from '../session.ts';

/** The width of lists on standard output: that of the terminal; a pipe has none, so that no line of a file is broken. */
export function listWidth({ screen }: Pick<Session, 'screen'>): number {
  return screen.interactive.out ? screen.columns : Infinity;
}

/** Prints the lines of a list. */
export function printLines({ out, screen }: Pick<Session, 'out' | 'screen'>, lines: readonly Line[]): void {
  const paint = createPaint(screen.color.out);
  out(lines.map((line) => `${paintLine(line, paint)}\n`).join(''));
}
