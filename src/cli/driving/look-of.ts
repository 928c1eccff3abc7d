/** The look of a report at this terminal: links to the files of the project, and code in colors. */
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Finding } from '../../events/collab-event.ts';
import { placeInProject } from '../../runs/folder/project-file.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { TerminalLook } from '../../views/reports/terminal-look.ts';
import type { Session } from '../session.ts';

/** Returns undefined for a pipe, which gets the text alone. */
export async function lookOf(
  { screen }: Pick<Session, 'screen'>,
  run: OpenedRun,
): Promise<TerminalLook | undefined> {
  if (!screen.interactive.out || !screen.movesCursor) return undefined;
  if (!screen.color.out) return { table: true };
  const { colorCode } = await import('../../views/markdown/code-colors.ts');
  const { renderMarkdown } = await import('../../views/markdown/terminal-markdown.ts');
  return {
    table: true,
    renderMarkdown,
    addressOf: (finding) => addressOf(run, finding),
    colorsOf: (code, path) => colorCode(code, path === null ? null : posix.extname(path).slice(1)),
  };
}

/** `file:///project/src/a.ts#41`: terminals that open files understand the line. */
function addressOf(run: OpenedRun, finding: Finding): string | null {
  const place = placeInProject(run.input, finding);
  if (place === null) return null;
  const { href } = pathToFileURL(place.file);
  return place.line === null ? href : `${href}#${place.line}`;
}
