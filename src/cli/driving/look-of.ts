/** The look of a report at this terminal: links to the files of the project, and code in colors. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Finding } from '../../events/collab-event.ts';
import { projectFileOf } from '../../runs/folder/project-file.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { TerminalLook } from '../../views/reports/terminal-look.ts';
import type { Session } from '../session.ts';

/** Returns undefined for a pipe, which gets the text alone. */
export async function lookOf(
  { screen, env }: Pick<Session, 'screen' | 'env'>,
  run: OpenedRun,
): Promise<TerminalLook | undefined> {
  if (!screen.interactive.out || env['TERM'] === 'dumb') return undefined;
  if (!screen.color.out) return { table: true };
  const { colorCode } = await import('../../views/markdown/code-colors.ts');
  return {
    table: true,
    addressOf: (finding) => addressOf(run, finding),
    colorsOf: (code, path) => colorCode(code, path === null ? null : posix.extname(path).slice(1)),
  };
}

/** `file:///project/src/a.ts#41`: terminals that open files understand the line. */
function addressOf(run: OpenedRun, finding: Finding): string | null {
  const file = projectFileOf(run.input, finding);
  if (file === null || !existsSync(file)) return null;
  const line = finding.side === 'old' || finding.start_line === null ? '' : `#${finding.start_line}`;
  return `${pathToFileURL(file).href}${line}`;
}
