/** `collab review --remote`: submits a review to the workers of a database and follows it. */
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { openDatabaseEngine, type DatabaseEngine } from '../../runs/engine/database-engine.ts';
import { submitReview, withReview, type SubmittedReview } from '../../runs/start.ts';
import type { ReviewStart } from '../../runs/start/start-request.ts';
import type { StartPlace } from '../../runs/start/start-place.ts';
import type { ShownFlags } from '../driving/present-start.ts';
import { createProgressScreen } from '../driving/progress-screen.ts';
import { exitCodeOfSignal, exitCodes } from '../exit-code.ts';
import type { Session } from '../session.ts';
import { engineAddress } from './engine-address.ts';
import { priorityOf } from './priority-of.ts';

interface RemoteReview {
  readonly request: ReviewStart;
  readonly shown: ShownFlags;
  readonly place: StartPlace;
}

/** Returns the exit code of the review. @throws CollabError as `submitReview` */
export async function reviewRemote(
  session: Session,
  { request, shown, place }: RemoteReview,
): Promise<number> {
  const engine = await openDatabaseEngine(engineAddress(session, shown.engine), session);
  try {
    const priority = priorityOf(session, request.priority);
    const submitted = await withReview(request, place, (options) =>
      submitReview(options, place, engine, { priority }),
    );
    const { runId } = submitted.run;
    const next = `collab wait ${runId} --remote --timeout 9m`;
    if (shown.detach === true) {
      session.out(`${JSON.stringify({ run: runId, next })}\n`);
      return exitCodes.passed;
    }
    session.err(`${runId} is submitted; it continues without this command: ${next}\n`);
    return await followSubmitted({ ...session, engine }, engine, submitted, shown);
  } finally {
    await engine.close();
  }
}

async function followSubmitted(
  session: Session,
  engine: DatabaseEngine,
  { run, report, format }: SubmittedReview,
  shown: ShownFlags,
): Promise<number> {
  const how = await showProgress(session, engine, run, shown);
  const wanted = shown.format ?? format;
  if (how === 'waiting') {
    const { tellQuestion } = await import('../driving/print-question.ts');
    return tellQuestion(session, run, wanted);
  }
  const result = how === 'stopped' ? null : await engine.result(run);
  if (result === null) {
    const signal = session.endedBy();
    const next = `collab wait ${run.runId} --remote`;
    session.err(signal === null ? `${run.runId} ended without a result\n` : `the run continues: ${next}\n`);
    return signal === null ? exitCodes.failed : exitCodeOfSignal(signal);
  }
  const { writeReport } = await import('../driving/write-report.ts');
  session.out(await writeReport(result, wanted, session, { ...shown, run }));
  await report(result);
  return result.exit_code;
}

/** Between two looks whether the run waits for an answer. */
const lookMs = 1000;

async function showProgress(
  session: Session,
  engine: DatabaseEngine,
  run: OpenedRun,
  { verbose = false, ascii = false, plain = false }: ShownFlags,
): Promise<'ended' | 'waiting' | 'stopped'> {
  const screen = await createProgressScreen(session, { verbose, ascii, plain, onStandardOutput: false });
  let lookedAt = session.clock.now();
  try {
    for await (const lines of engine.events(run, 0, session.signal)) {
      for (const { event } of lines) screen.push(event);
      if (lines.length > 0 || session.clock.now() - lookedAt < lookMs) continue;
      lookedAt = session.clock.now();
      if ((await engine.status(run)).state === 'waiting') return 'waiting';
    }
    // The result is stored after the last record.
    const left = await engine.untilFree(run, session.signal);
    return left === 'free' ? 'ended' : 'stopped';
  } finally {
    screen.close();
  }
}
