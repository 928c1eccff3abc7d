/** The progress of a run on standard error: progress lines, or with `--verbose` the screen of specification 000. */
import type { CollabEvent } from '../../events/collab-event.ts';
import { createReviewProgress } from '../../views/screen/progress.ts';
import type { Session } from '../session.ts';

export interface ProgressScreen {
  push(event: CollabEvent): void;
  line(text: string): void;
  close(): void;
}

export interface ScreenOptions {
  readonly verbose: boolean;
  readonly ascii: boolean;
  /** True if the screen of specification 000 is the command's main output. */
  readonly onStandardOutput: boolean;
}

export async function createProgressScreen(
  session: Session,
  options: ScreenOptions,
): Promise<ProgressScreen> {
  if (options.onStandardOutput) return workScreen(session, options);
  return options.verbose ? verboseScreen(session, options) : quietScreen(session);
}

/** For a run of phases, that screen is the output. If the output is a file, standard error reports the progress. */
async function workScreen(session: Session, options: ScreenOptions): Promise<ProgressScreen> {
  const screen = await verboseScreen(session, options);
  const lines = session.screen.interactive.out ? null : quietScreen(session);
  return {
    push(event) {
      screen.push(event);
      lines?.push(event);
    },
    line: (text) => session.err(`${text}\n`),
    close() {
      screen.close();
      lines?.close();
    },
  };
}

/** Prints a line for each chunk and each repair, and a sign of life every 30 s. */
function quietScreen(session: Session): ProgressScreen {
  const progress = createReviewProgress();
  const timer = setInterval(() => {
    const line = progress.heartbeat(Date.now());
    if (line !== null) session.err(`${line}\n`);
  }, 1000);
  timer.unref();
  return {
    push: (event) => progress.push(event).forEach((line) => session.err(`${line}\n`)),
    line: (text) => session.err(`${text}\n`),
    close: () => clearInterval(timer),
  };
}

/** Loads the screen's code only here: most runs print lines. */
async function verboseScreen(session: Session, options: ScreenOptions): Promise<ProgressScreen> {
  const { createVerboseScreen } = await import('./verbose-screen.ts');
  return createVerboseScreen(session, options);
}
