/** A run for the workers of a database: submits it and follows it. */
import { CollabError } from '../../errors/collab-error.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { openDatabaseEngine, type DatabaseEngine } from '../../runs/engine/database-engine.ts';
import { withReview } from '../../runs/start.ts';
import {
  submitConsult,
  submitReview,
  submitWorkflow,
  type Submission,
  type SubmittedRun,
} from '../../runs/submit.ts';
import type { StartPlace } from '../../runs/start/start-place.ts';
import type { StartRequest } from '../../runs/start/start-request.ts';
import { withTimeLimit } from '../../system/time-limit.ts';
import { followLimit } from '../driving/present-run.ts';
import type { ShownFlags } from '../driving/present-start.ts';
import { createProgressScreen } from '../driving/progress-screen.ts';
import { tellStillRunning, waitCommand } from './still-running.ts';
import { exitCodeOfSignal, exitCodes } from '../exit-code.ts';
import type { Session } from '../session.ts';
import { engineAddress } from './engine-address.ts';
import { priorityOf } from './priority-of.ts';
import { remoteWord } from './remote-flags.ts';
import { renderJsonLine } from '../../text/render-json.ts';

interface RemoteStart {
  readonly request: StartRequest;
  readonly shown: ShownFlags;
  readonly place: StartPlace;
}

/** Returns the exit code of the run. @throws CollabError as `submitReview`, `submitConsult` and `submitWorkflow` */
export async function presentRemote(
  session: Session,
  { request, shown, place }: RemoteStart,
): Promise<number> {
  const followMs = followLimit(session);
  const engine = await openDatabaseEngine(engineAddress(session, shown.engine), session);
  const at = { ...session, engine };
  try {
    const submitted = await submit(request, place, engine, session);
    const { runId } = submitted.run;
    const next = waitCommand(at, submitted.run);
    if (shown.detach === true) {
      session.out(renderJsonLine({ run: runId, next }));
      return exitCodes.passed;
    }
    session.err(`${runId} is submitted; it continues without this command: ${next}\n`);
    const follow = (signal: AbortSignal) => followSubmitted({ ...at, signal }, engine, submitted, shown);
    return await (followMs === null
      ? follow(session.signal)
      : withTimeLimit(followMs, session.signal, follow));
  } finally {
    await engine.close();
  }
}

async function submit(
  request: StartRequest,
  place: StartPlace,
  engine: DatabaseEngine,
  session: Session,
): Promise<SubmittedRun> {
  const submissionOf = (asked: Submission['priority']) => ({ priority: priorityOf(session, asked) });
  switch (request.kind) {
    case 'review':
      return withReview(request, place, (options) =>
        submitReview(options, place, engine, submissionOf(request.priority)),
      );
    case 'consult':
      return submitConsult(request, place, engine, submissionOf(request.priority));
    case 'run':
      return submitWorkflow(request, place, engine, submissionOf(request.priority));
    case 'fix':
      throw new CollabError('internal', `${request.kind} does not travel`);
  }
}

/** The signal of the session fires when it ends, and when the time for following is over. */
async function followSubmitted(
  session: Session,
  engine: DatabaseEngine,
  { run, report, format }: SubmittedRun,
  shown: ShownFlags,
): Promise<number> {
  const how = await showProgress(session, engine, run, shown);
  const wanted = shown.format ?? format;
  if (how === 'waiting') {
    const { tellQuestion } = await import('../driving/print-question.ts');
    return tellQuestion(session, run, wanted);
  }
  if (how === 'stopped') return leaveRunning(session, run);
  const result = await engine.result(run);
  if (result === null) {
    session.err(`${run.runId} ended without a result\n`);
    return exitCodes.failed;
  }
  const { writeReport } = await import('../driving/write-report.ts');
  session.out(await writeReport(result, wanted, session, { ...shown, run }));
  await report(result, { remote: remoteWord(session) });
  return result.exit_code;
}

function leaveRunning(session: Session, run: OpenedRun): number {
  const signal = session.endedBy();
  if (signal === null) return tellStillRunning(session, run);
  session.err(`the run continues: ${waitCommand(session, run)}\n`);
  return exitCodeOfSignal(signal);
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
