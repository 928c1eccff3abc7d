/** Prints only the screen of specification 000. */
import { createTerminalRenderer } from '../../views/screen/terminal-renderer.ts';
import { createResponseProjection } from '../../views/screen/response-projection.ts';
import { jobLog } from '../job-log.ts';
import type { ProgressScreen, ScreenOptions } from './progress-screen.ts';
import type { Session } from '../session.ts';

export function createVerboseScreen(
  session: Session,
  { ascii, verbose, onStandardOutput }: ScreenOptions,
): ProgressScreen {
  const projection = createResponseProjection();
  const renderer = createTerminalRenderer({
    write: onStandardOutput ? jobLog(session.env, session.out) : session.err,
    cwd: session.cwd,
    color: onStandardOutput ? session.screen.color.out : session.screen.color.err,
    ascii,
    ...(verbose ? { onHiddenError: (line: string) => session.err(`${line}\n`) } : {}),
  });
  return {
    push: (event) => projection.push(event).forEach((response) => renderer.render(response)),
    // The screen begins with what the specification shows.
    introduce: () => undefined,
    hold: () => () => undefined,
    close: () => {
      projection.end().forEach((response) => renderer.render(response));
      renderer.finish();
    },
  };
}
