/** Renders Markdown for standard output. */
import { createPaint } from '../../text/paint.ts';
import { paintLine } from '../../text/spans.ts';
import type { Session } from '../session.ts';

/** Longer lines of prose are hard to read. */
const mostColumns = 100;

/** Resolves with null for a pipe and a dumb terminal, which get the Markdown itself. */
export async function markdownAtTerminal({
  screen,
}: Pick<Session, 'screen'>): Promise<((markdown: string) => string) | null> {
  if (!screen.interactive.out || !screen.movesCursor) return null;
  const { renderMarkdown } = await import('../../views/markdown/terminal-markdown.ts');
  const { plainHeading } = await import('../../views/talk/protocol-words.ts');
  const paint = createPaint(screen.color.out);
  return (markdown) =>
    renderMarkdown(markdown, Math.min(mostColumns, screen.columns - 1), plainHeading)
      .map((line) => paintLine(line, paint))
      .join('\n');
}
