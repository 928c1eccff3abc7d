/** `collab wait`: waits until no process drives a run, with a line every 30 s; ends with the run's exit code. */
import type { ReportFormat } from '../../views/reports/report-formats.ts';
import { engineOf } from '../engine/engine-of.ts';
import { formatOption } from '../flags/format-option.ts';
import { addCommandOfRun } from '../flags/command-of-run.ts';
import type { Program } from '../program.ts';
import { tellStillRunning } from '../engine/still-running.ts';
import { exitCodes } from '../exit-code.ts';
import { withTimeLimit } from '../../system/time-limit.ts';
import { heartbeatMs } from '../../views/screen/heartbeat.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { Session } from '../session.ts';

interface WaitFlags {
  readonly timeout: string;
  readonly format: ReportFormat;
  readonly ascii?: boolean;
}

export function addWaitCommand(program: Program): void {
  addCommandOfRun(
    program,
    { name: 'wait', about: 'wait for a run and return its exit code', isRemote: true },
    wait,
  )
    .option('--timeout <duration>', 'limit the waiting time', '9m')
    .addOption(formatOption().default('terminal'))
    .option('--ascii', 'print no emoji')
    .addHelpText(
      'after',
      '\nExample:\n  collab wait latest --timeout 9m\n\nExit codes: those of the run; 10 it has a question (printed), 11 it is still running: call again\n',
    );
}

async function wait(session: Session, found: OpenedRun, flags: WaitFlags): Promise<number> {
  const { takesDuration } = await import('../flags/flag-values.ts');
  const timeoutMs = takesDuration('--timeout')(flags.timeout);
  (await import('../flags/fitting-format.ts')).refuseMisfit(found, flags.format);
  const { canLive } = await import('../driving/progress-screen.ts');
  const isFree = canLive(session)
    ? await waitShown(session, found, flags, timeoutMs)
    : await waitUntilFree(session, found, timeoutMs);
  return isFree ? reportEnd(session, found, flags) : tellStillRunning(session, found);
}

/** The live lines show that the run continues. */
async function waitShown(
  session: Session,
  found: OpenedRun,
  flags: WaitFlags,
  timeoutMs: number,
): Promise<boolean> {
  const { watchWhile } = await import('../driving/watch-run.ts');
  const silent = { ...session, err: () => undefined };
  return watchWhile(session, found, flags, async () => waitUntilFree(silent, found, timeoutMs));
}

/** Waits until no process drives the run. Resolves with false if the time ran out first. */
export async function waitUntilFree(
  session: Pick<Session, 'clock' | 'env' | 'engine' | 'signal' | 'err'>,
  found: RunFolder,
  timeoutMs: number,
): Promise<boolean> {
  const engine = await engineOf(session);
  const deadline = session.clock.now() + timeoutMs;
  for (;;) {
    const leftMs = deadline - session.clock.now();
    if (leftMs <= 0) return false;
    const napMs = Math.ceil(Math.min(heartbeatMs, leftMs));
    const standing = await withTimeLimit(napMs, session.signal, (nap) => engine.untilFree(found, nap));
    session.signal.throwIfAborted();
    if (standing === 'free') return true;
    if (session.clock.now() < deadline) session.err(`still running: ${found.runId}\n`);
  }
}

async function reportEnd(session: Session, found: OpenedRun, flags: WaitFlags): Promise<number> {
  const { writeReport } = await import('../driving/write-report.ts');
  const engine = await engineOf(session);
  const { state } = await engine.status(found);
  const result = await engine.result(found);
  if (state === 'waiting') {
    return (await import('../driving/print-question.ts')).tellQuestion(session, found, flags.format);
  }
  if (state !== 'ended' || result?.state !== 'ended') {
    session.err(`${found.runId} was interrupted; continue it: collab resume ${found.runId}\n`);
    return exitCodes.failed;
  }
  session.out(await writeReport(result, flags.format, session, { ...flags, run: found }));
  return result.exit_code;
}
