/** Attends a run for the person at an editor: shows its work, asks its gates, and reports its end. */
import type { RunStatus } from '../../engine/port.ts';
import type { CollabEvent, CollabEventOf } from '../../events/collab-event.ts';
import { findRepository } from '../../git/repository/find-root.ts';
import { gateOf } from '../../runs/calls/gate-question.ts';
import { howToWrite } from '../../runs/calls/parse-user-answer.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { printable } from '../../views/reports/foreign-text.ts';
import { recordAnswer } from '../commands/answer-command.ts';
import { cancelFoundRun } from '../commands/cancel-command.ts';
import { engineOf } from '../engine/engine-of.ts';
import { writeReport } from '../driving/write-report.ts';
import type { Session } from '../session.ts';
import { show, type Editor } from './editor.ts';
import { findingUpdates } from './finding-updates.ts';
import { applyOptions, approvalOptions, askPermission } from './gate.ts';
import { createRunUpdates, message } from './run-updates.ts';

export interface Attendance extends Editor {
  /** Its folder is that of the editor's session. */
  readonly session: Session;
  /** Aborted when the person cancels. */
  readonly cancelled: AbortSignal;
  /** Lets another process drive the run. */
  readonly drive: (session: Session, found: OpenedRun) => Promise<void>;
}

export async function attend(
  here: Attendance,
  found: OpenedRun,
  { skipsPast = false }: { readonly skipsPast?: boolean } = {},
): Promise<void> {
  const { session, cancelled, gone } = here;
  const engine = await engineOf(session);
  const cancelling: Promise<unknown>[] = [];
  const cancel = (): void => {
    cancelling.push(cancelFoundRun({ ...session, signal: gone }, found).catch((error: unknown) => error));
  };
  if (cancelled.aborted) cancel();
  cancelled.addEventListener('abort', cancel, { once: true });
  try {
    const watched = watch(here, {
      engine,
      found,
      skipped: skipsPast ? (await pastOf(engine, found)).length : 0,
    });
    for (;;) {
      const state = await watched.settled();
      gone.throwIfAborted();
      if (state === 'waiting' && !cancelled.aborted && (await answerGate(here, found))) continue;
      if (cancelled.aborted && state !== 'ended') {
        await Promise.all(cancelling);
        if ((await engine.status(found)).state !== 'ended') break;
        continue;
      }
      break;
    }
    const failures = (await Promise.all(cancelling)).filter((each) => each instanceof Error);
    await watched.close();
    await show(here, await standingUpdates(here.session, found));
    const [failure] = failures;
    if (failure instanceof Error) throw failure;
  } finally {
    cancelled.removeEventListener('abort', cancel);
  }
}

/** Follows the journal over all drives of the run, and shows each event once. */
function watch(here: Attendance, { engine, found, skipped: past }: Watched) {
  const { session, gone } = here;
  const updates = createRunUpdates(found, session.cwd);
  let skipped = past;
  const batches = engine.events(found, 0, gone);

  async function showAll(events: readonly CollabEvent[]): Promise<void> {
    for (const event of events) {
      const told = updates.push(event);
      if (skipped > 0) skipped -= 1;
      else await show(here, told);
    }
  }

  return {
    /** Resolves when no process drives the run, with its state. */
    async settled(): Promise<RunStatus> {
      for (;;) {
        const { done, value: lines } = await batches.next();
        if (done === true) break;
        await showAll(lines.map(({ event }) => event));
        if (lines.length === 0 && (await engine.status(found)).state === 'waiting') return 'waiting';
      }
      // The result is on the disk when the process has left.
      await engine.untilFree(found, gone);
      return (await engine.status(found)).state;
    },
    async close(): Promise<void> {
      await batches.return(undefined);
      await show(here, updates.end());
    },
  };
}

interface Watched {
  readonly engine: Engine;
  readonly found: OpenedRun;
  /** The number of records that the person has seen. */
  readonly skipped: number;
}

async function pastOf(engine: Engine, found: OpenedRun): Promise<readonly CollabEvent[]> {
  return engine.records(found).catch(() => []);
}

/** Shows a run again as its files have it; asks and drives nothing. */
export async function showAgain(here: Editor, session: Session, found: OpenedRun): Promise<void> {
  const updates = createRunUpdates(found, session.cwd);
  for (const event of await pastOf(await engineOf(session), found)) await show(here, updates.push(event));
  await show(here, updates.end());
  await show(here, await standingUpdates(session, found));
}

/** Returns what there is to say about a run that is not shown any further: its report, its question, how to go on. */
async function standingUpdates(session: Session, found: OpenedRun) {
  const { runId } = found;
  const { state, open } = await (await engineOf(session)).status(found);
  switch (state) {
    case 'running':
      return [message(`\`${runId}\` is still at work. \`/continue\` follows it.\n`)];
    case 'interrupted':
      return [message(`\`${runId}\` has stopped: its process ended. \`/continue\` resumes it.\n`)];
    case 'waiting': {
      const [question] = open;
      return [message(question === undefined ? goOn(runId) : questionText(runId, question))];
    }
    case 'ended':
      return endUpdates(session, found);
  }
}

function goOn(runId: string): string {
  return `\`${runId}\` waits. \`/continue\` resumes it.\n`;
}

function questionText(runId: string, question: CollabEventOf<'question.asked'>): string {
  const text = printable(question.text).trimEnd();
  if (question.kind === 'gate') {
    return `\`${runId}\` waits for your decision. \`/continue\` asks for it again, \`/cancel\` ends the run.\n`;
  }
  return `${text}\n\n_Your next message answers this (${howToWrite(question)}). \`/cancel\` ends the run._\n`;
}

async function endUpdates(session: Session, found: OpenedRun) {
  const result = await (await engineOf(session)).result(found);
  if (result === null) return [message(`\`${found.runId}\` ended without a result.\n`)];
  const quiet = { ...session, screen: { ...session.screen, color: { out: false, err: false } } };
  const report = await writeReport(result, 'markdown', quiet, { run: found });
  if (result.schema !== 'collab.review/v1') return [message(report)];
  const root = (await findRepository(session.cwd))?.root ?? session.cwd;
  return [
    ...findingUpdates(found.runId, result.findings, root),
    // The first line is a mark for programs that look for the report in a pull request.
    message(report.replace(/^<!-- \S+ -->\n+/, '')),
  ];
}

/** Returns true if the person decided, and the run goes on. */
async function answerGate(here: Attendance, found: OpenedRun): Promise<boolean> {
  const { session } = here;
  const [question] = (await (await engineOf(session)).status(found)).open;
  const gate = question === undefined ? null : gateOf(question);
  if (question === undefined || gate === null) return false;
  const chosen = await askPermission(
    { ...here, signal: AbortSignal.any([here.cancelled, here.gone]) },
    {
      toolCallId: `${found.runId}/${question.name}`,
      title: gate === 'apply' ? 'Apply the changes to your files?' : 'Continue the run?',
      text: printable(question.text),
      kind: gate === 'apply' ? 'edit' : 'other',
      options: gate === 'apply' ? applyOptions : approvalOptions,
    },
  );
  if (chosen === null) return false;
  if (chosen === 'revise') {
    await show(here, [message('The next message names the changes, and sends the run back.\n')]);
    return false;
  }
  await recordAnswer(session, found, chosen, question.name);
  await goOnWith(here, found);
  return true;
}

/** Lets a process drive the run, if none does. */
export async function goOnWith({ session, drive }: Attendance, found: OpenedRun): Promise<void> {
  if (!(await (await engineOf(session)).isDriven(found))) await drive(session, found);
}
