/** Shows a run while it works: at a terminal with live lines, on a pipe with a line for each step. */
import type { CollabEvent } from '../../events/collab-event.ts';
import type { Introduction } from '../../runs/introduction.ts';
import { createReviewProgress } from '../../views/screen/progress.ts';
import type { Session } from '../session.ts';
import { introductionLines } from './introduction-lines.ts';

export interface ProgressScreen {
  introduce(facts: Introduction): void;
  push(event: CollabEvent): void;
  /** Leaves the terminal to a question. Returns the function that takes it back. */
  hold(): () => void;
  close(): void;
}

export interface ScreenOptions {
  readonly verbose: boolean;
  readonly ascii: boolean;
  /** Shows at a terminal what a pipe shows. */
  readonly plain: boolean;
  /** True if the screen of specification 000 is the command's main output. */
  readonly onStandardOutput: boolean;
}

export async function createProgressScreen(
  session: Session,
  options: ScreenOptions,
): Promise<ProgressScreen> {
  const isLive = !options.plain && !options.verbose && canLive(session);
  if (options.onStandardOutput && !(isLive && session.screen.interactive.out))
    return workScreen(session, options);
  if (options.verbose) return verboseScreen(session, options);
  if (!isLive) return quietScreen(session, await logOf(session));
  const { createLiveScreen } = await import('./live-screen.ts');
  if (!options.onStandardOutput) {
    const { wrapLog } = await import('./wrap-log.ts');
    const { printIntroduction } = await import('./introduction-block.ts');
    return createLiveScreen(session, options, (above) => ({
      ...lineScreen(wrapLog(above)),
      introduce: (facts) => printIntroduction(above, facts),
    }));
  }
  const { createTalkScreen } = await import('./talk-screen.ts');
  return createLiveScreen(session, options, (above) => createTalkScreen(above, options));
}

/** Lines are drawn again only at a terminal that can do it, and not in the log of a CI job. */
export function canLive({ screen, env }: Session): boolean {
  return screen.interactive.err && screen.movesCursor && (env['CI'] ?? '') === '';
}

/** For a run of phases, that screen is the output. If the output is a file, standard error reports the progress. */
async function workScreen(session: Session, options: ScreenOptions): Promise<ProgressScreen> {
  const screen = await verboseScreen(session, options);
  const log = await logOf(session);
  const lines = session.screen.interactive.out ? null : quietScreen(session, log);
  return {
    introduce: (facts) => introductionLines(facts).forEach(log),
    push(event) {
      screen.push(event);
      lines?.push(event);
    },
    hold: () => screen.hold(),
    close() {
      screen.close();
      lines?.close();
    },
  };
}

/** Prints a line for each chunk and each repair, and a sign of life every 30 s. */
function quietScreen(session: Session, log: Log): ProgressScreen {
  const progress = createReviewProgress();
  const timer = setInterval(() => {
    const line = progress.heartbeat(session.clock.now());
    if (line !== null) log(line);
  }, 1000);
  timer.unref();
  return { ...lineScreen(log, progress), close: () => clearInterval(timer) };
}

function lineScreen(log: Log, progress = createReviewProgress()): ProgressScreen {
  return {
    introduce: (facts) => introductionLines(facts).forEach(log),
    push: (event) => progress.push(event).forEach(log),
    hold: () => () => undefined,
    close: () => undefined,
  };
}

/** Writes one line of the log. */
export type Log = (line: string) => void;

/** Only a terminal needs the tables of widths. */
async function logOf(session: Session): Promise<Log> {
  if (!session.screen.interactive.err) return (line) => session.err(`${line}\n`);
  return (await import('./wrap-log.ts')).wrapLog(session);
}

/** Loads the screen's code only here: most runs print lines. */
async function verboseScreen(session: Session, options: ScreenOptions): Promise<ProgressScreen> {
  const { createVerboseScreen } = await import('./verbose-screen.ts');
  return createVerboseScreen(session, options);
}
