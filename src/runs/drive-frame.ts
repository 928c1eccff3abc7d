/**
 * The frame around every kind of run: returns the result of an ended run, collects events and records how a drive ends.
 */
import { existsSync } from 'node:fs';
import type { EventAgent, EventBody } from '../events/collab-event.ts';
import type { AgentIdentity } from '../providers/contract/contract.ts';
import { agentName } from '../events/speakers.ts';
import type { AgentUnavailable } from './agents/unavailable-agent.ts';
import type { Budget } from './calls/budget.ts';
import type { DriveFolderOptions, DriveRecordedOptions } from './drive-options.ts';
import { driveRun } from '../engine/drive/perform-run.ts';
import type { Departure, RunContext } from '../engine/port.ts';
import { journalFile } from '../engine/journal/journal.ts';
import { readOutcome } from '../engine/drive/other-process.ts';
import { readResult, type RunResult } from './folder/result-file.ts';
import { countWorkOnly, type RunDeadline } from './calls/deadline.ts';

/** The differences between the kinds of runs. */
export interface RunFrame<Ending extends { readonly final: boolean }, Result> {
  readonly drive: {
    readonly budget: Budget;
    readonly deadline: RunDeadline;
  };
  readonly conversationId: string;
  /** The agent of the run's session. */
  readonly agent: EventAgent;
  readonly start: () => Promise<StartedEvent>;
  readonly run: (context: RunContext, cancelled: AbortSignal) => Promise<Ending>;
  readonly endedEvent: (ending: Ending) => Extract<EventBody, { type: 'run.ended' }> | null;
  readonly writeUnfinished: (state: 'running' | 'waiting' | 'interrupted') => Promise<void> | void;
  readonly writeEnding: (ending: Ending) => Promise<Result> | Result;
  /** Safe to call twice. */
  readonly closeAgents: () => Promise<unknown>;
  /** Called when the run has ended; `isFinal` is false if it may still continue, as after a failed login. */
  readonly clear: (isFinal: boolean) => Promise<void> | void;
}

type StartedEvent = Extract<EventBody, { type: 'run.started' }>;

export async function driveMachine<Ending extends { readonly final: boolean }, Result>(
  options: DriveRecordedOptions,
  frame: RunFrame<Ending, Result>,
): Promise<Departure<Result>> {
  const { drive } = frame;
  const cancelled = new AbortController();
  let left: Departure<Result> = { kind: 'interrupted', reason: 'signal' };
  try {
    drive.deadline.start();
    await driveRun<Ending>({
      runFolder: options.runFolder,
      envelope: {
        runId: options.runId,
        conversationId: options.where?.conversationId ?? frame.conversationId,
        tenantId: options.where?.tenantId ?? 'local',
        agent: frame.agent,
      },
      clock: options.clock,
      signal: options.signal,
      start: withoutFolder(await frame.start(), options.where),
      body: async (context) => {
        if (drive.budget.limited) drive.budget.recall(options.recorded.all());
        await frame.writeUnfinished('running');
        const ending = await frame.run(countWorkOnly(context, drive.deadline), cancelled.signal);
        const { title } = options;
        if (title !== undefined && !cancelled.signal.aborted) await tellTitle(context, title);
        return ending;
      },
      settle: (ending) => frame.endedEvent(ending),
      onCancel: () => cancelled.abort(),
      onDeparture: async (departure) => {
        left = await leave(frame, departure);
      },
      ...(options.answerer === undefined ? {} : { answerer: options.answerer }),
      recorded: options.recorded,
      ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
      ...(options.onCommit === undefined ? {} : { onCommit: options.onCommit }),
    });
    return left;
  } finally {
    drive.deadline.stop();
    await frame.closeAgents();
  }
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

/** A drive that lost the lock writes nothing: the files belong to the process that took over the run. */
async function leave<Ending extends { readonly final: boolean }, Result>(
  frame: RunFrame<Ending, Result>,
  departure: Departure<Ending>,
): Promise<Departure<Result>> {
  if (departure.kind !== 'settled') {
    const isOurs = departure.kind === 'suspended' || departure.reason === 'signal';
    if (isOurs) await frame.writeUnfinished(departure.kind === 'suspended' ? 'waiting' : 'interrupted');
    return departure;
  }
  const result = await frame.writeEnding(departure.result);
  await frame.closeAgents();
  await frame.clear(departure.result.final);
  return { kind: 'settled', result };
}

/** Returns true if nothing of the run is recorded yet. */
export function isNew({ runFolder }: Pick<DriveFolderOptions, 'runFolder'>): boolean {
  return !existsSync(journalFile(runFolder));
}

/** Returns the result of a run that has ended and written it; null for any other. */
export function endedResult<Schema extends RunResult['schema']>(
  runFolder: string,
  schema: Schema,
): Extract<RunResult, { schema: Schema }> | null {
  if (isNew({ runFolder }) || readOutcome(runFolder) === null) return null;
  const result = readResult(runFolder);
  return isOf(result, schema) && result.state === 'ended' ? result : null;
}

function isOf<Schema extends RunResult['schema']>(
  result: RunResult | null,
  schema: Schema,
): result is Extract<RunResult, { schema: Schema }> {
  return result?.schema === schema;
}

/** The session has the name and model of the opened agent; without one, its provider's name. */
export function startedBy(
  identity: AgentIdentity | AgentUnavailable | null,
  provider: string,
  cwd: string,
): StartedEvent {
  const known = identity === null || 'kind' in identity ? null : identity;
  return {
    type: 'run.started',
    name: known?.displayName ?? agentName(provider),
    ...(known?.model ? { model: known.model } : {}),
    tools: [],
    cwd,
  };
}

export function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let done: Promise<Value> | null = null;
  return () => (done ??= work());
}
