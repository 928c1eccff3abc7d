import { createPaint } from '../../text/paint.ts';
import { paintLine, type Line } from '../../text/spans.ts';
import type { Session } from '../session.ts';

/** Prints a list as wide as the terminal; a pipe has no width, so that no line of a file is broken. */
export function printList(
  { out, screen }: Pick<Session, 'out' | 'screen'>,
  render: (width: number) => readonly Line[],
): void {
  const paint = createPaint(screen.color.out);
  const lines = render(screen.interactive.out ? screen.columns : Infinity);
  out(lines.map((line) => `${paintLine(line, paint)}\n`).join(''));
}
