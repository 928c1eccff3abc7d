/** Continues a run in this process, with its progress on standard error and its report on standard output. */
import { continueRun } from '../../runs/continue-run.ts';
import type { RunResult } from '../../runs/folder/result-file.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { exitCodeOfSignal, exitCodes } from '../exit-code.ts';
import { createProgressScreen } from './progress-screen.ts';
import type { ReportFormat } from '../../views/reports/report-formats.ts';
import { preloadReport } from '../../views/reports/report-formats.ts';
import type { Session } from '../session.ts';
import { writeReport } from './write-report.ts';

export interface PresentFlags {
  readonly verbose?: boolean | undefined;
  readonly ascii?: boolean | undefined;
  readonly plain?: boolean | undefined;
  readonly format?: ReportFormat | undefined;
}

export async function presentHere(session: Session, found: OpenedRun, flags: PresentFlags): Promise<number> {
  const { format = 'terminal', verbose = false, ascii = false, plain = false } = flags;
  const onStandardOutput =
    (found.input.kind === 'workflow' || found.input.kind === 'fix') && format === 'terminal';
  const screen = await createProgressScreen(session, { verbose, ascii, plain, onStandardOutput });
  const isAtTerminal = session.stdin.isTTY && session.screen.interactive.err;
  const answerer = isAtTerminal
    ? (await import('./ask-at-terminal.ts')).answererAtTerminal(session, found, () => screen.hold())
    : null;
  let [isClosed, isShown] = [false, false];
  const closeScreen = (): void => {
    if (!isClosed) screen.close();
    isClosed = true;
  };
  const show = async (result: RunResult): Promise<void> => {
    isShown = true;
    closeScreen();
    session.out(await writeReport(result, format, session, { ...flags, run: found }));
  };
  const departure = await continueRun({
    runFolder: found.path,
    runId: found.runId,
    opened: found,
    env: session.env,
    clock: session.clock,
    signal: session.signal,
    onEvent(event) {
      screen.push(event);
      // The prompt is sent next; while the agent thinks, there is time to load the report's code.
      if (event.type === 'step.bound') setImmediate(preloadReport, flags.format ?? 'terminal');
    },
    onIntroduction: (facts) => screen.introduce(facts),
    onResult: show,
    ...(answerer === null ? {} : { answerer }),
  }).finally(closeScreen);
  if (departure.kind === 'settled') {
    // A run that had ended before has only its result.
    if (!isShown) await show(departure.result);
    return departure.result.exit_code;
  }
  if (departure.kind === 'suspended') {
    const { tellQuestion } = await import('./print-question.ts');
    return tellQuestion(session, found, format);
  }
  if (departure.reason === 'lock_lost') {
    session.err(`another process has taken over the run; wait for it: collab wait ${found.runId}\n`);
    return exitCodes.failed;
  }
  session.err(`interrupted; continue it: collab resume ${found.runId}\n`);
  const signal = session.endedBy();
  return signal === null ? exitCodes.failed : exitCodeOfSignal(signal);
}
