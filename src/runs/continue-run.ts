/** Continues a run of any kind: with its transcript, its result files and a record of how each drive ends. */
import { CollabError } from '../errors/collab-error.ts';
import { agentName } from '../events/speakers.ts';
import type { EventBody } from '../events/collab-event.ts';
import { readOutcome, requestCancel } from '../engine/drive/other-process.ts';
import { performRun } from '../engine/drive/perform-run.ts';
import { readJournal } from '../engine/journal/journal-reader.ts';
import { journalFile } from '../engine/journal/journal.ts';
import type { Departure, RunContext } from '../engine/port.ts';
import { countWorkOnly } from './calls/deadline.ts';
import type { DriveFolderOptions } from './drive-options.ts';
import { openRun, type OpenedRun } from './folder/opened-run.ts';
import { readResult, type RunResult } from './folder/result-file.ts';
import { readRunInput, type RunInput } from './folder/run-input.ts';
import { loadKind } from './kinds.ts';
import { withTranscript, writeTranscript } from './folder/with-transcript.ts';
import {
  isNew,
  undriven,
  writeResult,
  type ContinueOptions,
  type KnownRun,
  type LastRecord,
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
  const { runId, runFolder, opened = openRun({ runId, path: runFolder }) } = options;
  return continueAs(await loadKind(opened.input), { ...options, opened });
}

/** Continues a run of a known kind. @throws CollabError as `continueRun`, `internal` for a run of another kind */
export function continueAs<
  Input extends RunInput,
  Drive extends RunDrive<Input>,
  Ending extends DriveEnding,
  Result extends RunResult,
>(
  kind: RunKind<Input, Drive, Ending, Result>,
  options: ContinueOptions & { readonly opened: OpenedRun },
): Promise<Departure<Result>> {
  return withTranscript(options, async (watched) => {
    const ended = endedResult<Result>(options.runFolder, kind.schema);
    if (ended !== null) return { kind: 'settled', result: ended };
    const drive = await kind.open({ ...watched, input: inputOf(kind, options.opened) });
    return perform(kind, drive, watched);
  });
}

function inputOf<Input extends RunInput>(
  { kind }: { readonly kind: Input['kind'] },
  { input, path }: OpenedRun,
): Input {
  if (isOfKind<Input>(input, kind)) return input;
  throw new CollabError('internal', `${path} holds no ${kind}`);
}

function isOfKind<Input extends RunInput>(input: RunInput, kind: Input['kind']): input is Input {
  return input.kind === kind;
}

async function perform<
  Input extends RunInput,
  Drive extends RunDrive<Input>,
  Ending extends DriveEnding,
  Result extends RunResult,
>(
  kind: RunKind<Input, Drive, Ending, Result>,
  drive: Drive,
  options: ContinueOptions,
): Promise<Departure<Result>> {
  const cancelled = new AbortController();
  let left: Departure<Result> = { kind: 'interrupted', reason: 'signal' };
  try {
    drive.deadline.start();
    await performRun<Ending>({
      runFolder: options.runFolder,
      envelope: {
        runId: options.runId,
        conversationId: options.where?.conversationId ?? drive.conversationId,
        tenantId: options.where?.tenantId ?? 'local',
        agent: drive.sessionAgent,
      },
      clock: options.clock,
      signal: options.signal,
      start: withoutFolder(await startedBy(drive), options.where),
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
async function startedBy(drive: RunDrive<RunInput>): Promise<StartedEvent> {
  const identity = isNew(drive) ? await drive.sessionIdentity() : null;
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
async function leave<
  Input extends RunInput,
  Drive extends RunDrive<Input>,
  Ending extends DriveEnding,
  Result extends RunResult,
>(
  kind: RunKind<Input, Drive, Ending, Result>,
  drive: Drive,
  { departure, onResult }: Leaving<Ending>,
): Promise<Departure<Result>> {
  if (departure.kind !== 'settled') {
    const state = departure.kind === 'suspended' ? 'waiting' : 'interrupted';
    const isOurs = departure.kind === 'suspended' || departure.reason === 'signal';
    if (isOurs) await writeResult(drive, kind.unfinished(drive, state));
    return departure;
  }
  const result = kind.ended(drive, departure.result);
  await writeResult(drive, result);
  await onResult?.(result);
  await drive.closeAgents();
  await drive.clear(departure.result.final);
  return { kind: 'settled', result };
}

interface Leaving<Ending> {
  readonly departure: Departure<Ending>;
  readonly onResult: ContinueOptions['onResult'];
}

/** Cancels a run for good: the process that drives it settles it; without one, its journal and result are closed here. */
export async function endRun(
  run: Pick<DriveFolderOptions, 'runFolder' | 'runId' | 'clock'>,
): Promise<'asked' | 'ended'> {
  const how = await requestCancel(run);
  if (how === 'asked') return how;
  const { runFolder } = run;
  const known = undriven({ ...run, input: readRunInput(runFolder) });
  await writeResult(known, (await loadKind(known.input)).cancelled(known));
  await writeTranscript(runFolder, readJournal(journalFile(runFolder)).events);
  return how;
}

/** Leaves the folder of the server out of the events of a tenant's run: its path is of this machine. */
export function withoutFolder(started: StartedEvent, where: DriveFolderOptions['where']): StartedEvent {
  return where === undefined || where.tenantId === 'local' ? started : { ...started, cwd: '' };
}

/** Emits the title as a step: once over all drives. */
export async function tellTitle(context: RunContext, title: string): Promise<void> {
  await context.step('title', { title }, async (attempt) => {
    attempt.emit({ type: 'title', title });
    return { value: null };
  });
}

/** Returns the result of a run that has ended and written it; null for any other. */
function endedResult<Result extends RunResult>(runFolder: string, schema: Result['schema']): Result | null {
  if (isNew({ runFolder }) || readOutcome(runFolder) === null) return null;
  const result = readResult(runFolder);
  return hasSchema<Result>(result, schema) && result.state === 'ended' ? result : null;
}

function hasSchema<Result extends RunResult>(
  result: RunResult | null,
  schema: Result['schema'],
): result is Result {
  return result?.schema === schema;
}
