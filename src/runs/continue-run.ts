/** Continues a run of any kind: with its transcript, its result files and a record of how each drive ends. */
import { agentName } from '../events/speakers.ts';
import type { CollabEvent, EventBody } from '../events/collab-event.ts';
import { readOutcome, requestCancel, type OutsideOptions } from '../engine/drive/other-process.ts';
import { performRun } from '../engine/drive/perform-run.ts';
import { readJournal } from '../engine/journal/journal-reader.ts';
import { journalFile } from '../engine/journal/journal.ts';
import { collectRecords } from '../engine/journal/recorded-events.ts';
import type { Departure, RunContext, StepAttempt } from '../engine/port.ts';
import { countWorkOnly } from './calls/deadline.ts';
import type { DriveFolderOptions } from './drive-options.ts';
import { openRun } from './folder/opened-run.ts';
import { readResult, type RunResult } from './folder/result-file.ts';
import { readRunInput, type RunInput } from './folder/run-input.ts';
import { leavesResult } from './folder/run-status.ts';
import { loadKind } from './kinds.ts';
import { createTranscript, writeTranscript } from './folder/transcript-file.ts';
import {
  isNew,
  undriven,
  writeResult,
  type ContinueOptions,
  type KnownRun,
  type LastRecord,
  type OpenDriveOptions,
  type RunDrive,
  type DriveEnding,
  type RunKind,
} from './run-kind.ts';

type StartedEvent = Extract<EventBody, { type: 'run.started' }>;

/**
 * Starts or continues the run of a folder that holds `input.json`. `result.json` and the report files say "not finished"
 * from the first moment. For a run that has ended, returns its existing result.
 *
 * @throws CollabError `locked`, `journal_corrupt`, `journal_version`, `replay_mismatch`, `state_folder`
 */
export async function continueRun(options: ContinueOptions): Promise<Departure<RunResult>> {
  const { runId, runFolder, recorded = collectRecords(runFolder) } = options;
  const { opened = openRun({ runId, path: runFolder }) } = options;
  const kind = await loadKind(opened.input);
  const transcript = createTranscript(runFolder, recorded);
  const onEvent = (event: CollabEvent): void => {
    options.onEvent?.(event);
    transcript.push(event);
  };
  let departure: Departure<RunResult> | null = null;
  try {
    departure =
      (options.store === undefined ? settledBefore(runFolder, kind) : null) ??
      (await perform(kind, { ...options, opened, input: opened.input, recorded, onEvent }));
    return departure;
  } finally {
    await transcript.write(departure);
  }
}

async function perform(kind: RunKind, options: OpenDriveOptions<RunInput>): Promise<Departure<RunResult>> {
  const drive = await kind.open(options);
  const cancelled = new AbortController();
  let left: Departure<RunResult> = { kind: 'interrupted', reason: 'signal' };
  try {
    drive.deadline.start();
    await performRun<DriveEnding>({
      runFolder: options.runFolder,
      envelope: {
        runId: options.runId,
        conversationId: options.where?.conversationId ?? drive.conversationId,
        tenantId: options.where?.tenantId ?? 'local',
        agent: drive.sessionAgent,
      },
      clock: options.clock,
      signal: options.signal,
      ...(options.store === undefined ? {} : { store: options.store }),
      start: withoutFolder(await startedBy(drive, options), options),
      body: async (context) => {
        if (drive.budget.limited) drive.budget.recall(drive.recorded.all());
        await writeResult(drive, kind.unfinished(drive, 'running'));
        const ending = await kind.drive(countWorkOnly(context, drive.deadline), drive, cancelled.signal);
        const { title } = options;
        if (title !== undefined && !cancelled.signal.aborted) await tellTitle(context, title);
        return ending;
      },
      // A later drive may end the run differently.
      settle: (ending) => (ending.final ? endedBy(drive, kind.lastRecord(drive, ending)) : null),
      onCancel: () => cancelled.abort(),
      onDeparture: async (departure) => {
        left = await leave(kind, drive, { departure, onResult: options.onResult });
      },
      ...(options.answerer === undefined ? {} : { answerer: options.answerer }),
      recorded: drive.recorded,
      ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
      ...(options.onCommit === undefined ? {} : { onCommit: options.onCommit }),
    });
    return left;
  } finally {
    drive.deadline.stop();
    await drive.closeAgents();
  }
}

/** A new run records the agent that it opens; the session has its name and model, otherwise its provider's name. */
async function startedBy(drive: RunDrive<RunInput>, options: ContinueOptions): Promise<StartedEvent> {
  const identity = isNew(options) ? await drive.sessionIdentity() : null;
  const known = identity === null || 'kind' in identity ? null : identity;
  return {
    type: 'run.started',
    name: known?.displayName ?? agentName(drive.sessionAgent.provider),
    ...(known?.model ? { model: known.model } : {}),
    tools: [],
    cwd: drive.input.cwd,
  };
}

function endedBy({ clock, input }: KnownRun<RunInput>, facts: LastRecord) {
  const duration_ms = Math.max(0, Math.round(clock.now() - Date.parse(input.started_at)));
  return { type: 'run.ended', ...facts, duration_ms } as const;
}

/** A drive that lost the lock writes nothing: the files belong to the process that took over the run. */
async function leave(
  kind: RunKind,
  drive: RunDrive<RunInput>,
  { departure, onResult }: Leaving,
): Promise<Departure<RunResult>> {
  if (departure.kind !== 'settled') {
    const state = departure.kind === 'suspended' ? 'waiting' : 'interrupted';
    const isOurs = departure.kind === 'suspended' || departure.reason === 'signal';
    if (isOurs) await writeResult(drive, kind.unfinished(drive, state));
    return departure;
  }
  const result = kind.ended(drive, departure.result);
  // The caller gets the result even if a report cannot be written.
  const written = await writeResult(drive, result).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  await onResult?.(result);
  await drive.closeAgents();
  await drive.clear(departure.result.final, result);
  if (written !== null) throw written.error;
  return { kind: 'settled', result };
}

interface Leaving {
  readonly departure: Departure<DriveEnding>;
  readonly onResult: ContinueOptions['onResult'];
}

/**
 * Cancels a run for good: the process that drives it settles it; without one, its records and, unless it is a turn, its result
 * are closed here. `env` is that of git.
 */
export async function endRun(
  run: OutsideOptions & Pick<DriveFolderOptions, 'runId' | 'env'>,
): Promise<'asked' | 'ended'> {
  const how = await requestCancel(run);
  const { runFolder } = run;
  if (how === 'asked' || !leavesResult(runFolder)) return how;
  const known = undriven({ ...run, input: readRunInput(runFolder) });
  const kind = await loadKind(known.input);
  await writeResult(known, kind.cancelled(known));
  await writeTranscript(runFolder, readJournal(journalFile(runFolder)).events);
  await kind.leave?.(known, run.env);
  return how;
}

/** Leaves the folder out of the events of a tenant's run, and of a run that others read elsewhere: its path is of this machine. */
export function withoutFolder(
  started: StartedEvent,
  { where, store }: Pick<DriveFolderOptions, 'where' | 'store'>,
): StartedEvent {
  const isSeenHere = store === undefined && (where === undefined || where.tenantId === 'local');
  return isSeenHere ? started : { ...started, cwd: '' };
}

/** Emits the title as a step: once over all drives. */
export async function tellTitle(context: RunContext, title: string): Promise<void> {
  const tell = async (attempt: StepAttempt) => {
    attempt.emit({ type: 'title', title });
    return { value: null };
  };
  await context.step('title', { title }, tell, { repeatable: true });
}

/** Returns the end of a run that has ended and written its result; null for any other. */
function settledBefore(runFolder: string, { schema }: RunKind): Departure<RunResult> | null {
  if (isNew({ runFolder }) || readOutcome(runFolder) === null) return null;
  const result = readResult(runFolder);
  return result?.schema === schema && result.state === 'ended' ? { kind: 'settled', result } : null;
}
