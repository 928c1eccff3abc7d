/** The differences between a review, a consult and a workflow; `continue-run.ts` has their common part. */
import { existsSync } from 'node:fs';
import type { Act } from '../access/permissions.ts';
import type { EventAgent, EventBody } from '../events/collab-event.ts';
import { journalFile } from '../engine/journal/journal.ts';
import { collectRecords, type RecordedEvents } from '../engine/journal/recorded-events.ts';
import type { RunContext, RunStatus } from '../engine/port.ts';
import type { AgentIdentity } from '../providers/contract/contract.ts';
import { writeAtomically } from '../system/files/write.ts';
import type { AgentUnavailable } from './agents/unavailable-agent.ts';
import type { Budget } from './calls/budget.ts';
import type { RunDeadline } from './calls/deadline.ts';
import type { DriveFolderOptions } from './drive-options.ts';
import type { OpenedRun } from './folder/opened-run.ts';
import { writeReports } from './folder/report-files.ts';
import type { RunResult } from './folder/result-file.ts';
import { resultFile } from './folder/run-folder.ts';
import type { RunInput } from './folder/run-input.ts';
import type { Introduction } from './introduction.ts';

/** One kind of run. Its functions that return a result write nothing. */
export interface RunKind<
  Input extends RunInput = RunInput,
  Drive extends RunDrive<Input> = RunDrive<Input>,
  Ending extends DriveEnding = DriveEnding,
  Result extends RunResult = RunResult,
> {
  readonly kind: Input['kind'];
  readonly schema: Result['schema'];
  /** Returns the permissions that a run of this input needs; the second part names the object in a refusal. */
  acts(input: Input, repository: string): readonly NeededAct[];
  /** Opens the folders and the agents of one drive. */
  open(options: OpenDriveOptions<Input>): Drive | Promise<Drive>;
  /** Performs the machine with its effects. */
  drive(context: RunContext, drive: Drive, cancelled: AbortSignal): Promise<Ending>;
  /** Returns the facts of the last record. */
  lastRecord(drive: Drive, ending: Ending): LastRecord;
  ended(drive: Drive, ending: Ending): Result;
  unfinished(run: KnownRun<Input>, state: UnfinishedState): Result;
  /** Returns the result of a run that was cancelled while no process drove it. */
  cancelled(run: KnownRun<Input>): Result;
  /** Returns the result of a run that no process can continue. */
  failed(run: KnownRun<Input>, message: string): Result;
  /** Removes what such a run left in the user's repository; omitted if it leaves nothing there. */
  leave?(run: KnownRun<Input>, env: DriveFolderOptions['env']): Promise<unknown>;
}

export type NeededAct = readonly [Act, string];

export type UnfinishedState = Exclude<RunStatus, 'ended'>;

export type LastRecord = Omit<Extract<EventBody, { type: 'run.ended' }>, 'type' | 'duration_ms'>;

export interface DriveEnding {
  /** False if a second start may do better: a call ended with a refusal that is not remembered. */
  readonly final: boolean;
}

export interface OpenDriveOptions<Input extends RunInput> extends ContinueOptions {
  readonly recorded: RecordedEvents;
  readonly opened: OpenedRun;
  readonly input: Input;
}

export interface ContinueOptions extends DriveFolderOptions {
  /** Called once, before the first call. */
  readonly onIntroduction?: (facts: Introduction) => void;
  /** Called once the result is on the disk, or could not be written, while the agents end and the folders are cleared. Not for a run that had ended. */
  readonly onResult?: (result: RunResult) => Promise<void> | void;
}

/** The parts of a run that its result needs. */
export interface KnownRun<Input extends RunInput> {
  readonly input: Input;
  readonly runFolder: string;
  readonly runId: string;
  readonly clock: DriveFolderOptions['clock'];
  /** The recorded facts about the agents; null until they are known, and for an agent that takes no part. */
  readonly met: { advisor: MetAgent | null; lead: MetAgent | null };
  readonly recorded: RecordedEvents;
}

export type MetAgent = Pick<AgentIdentity, 'model' | 'edition' | 'version'>;

/** Everything that one drive of a run needs; made once, closed once. */
export interface RunDrive<Input extends RunInput> extends KnownRun<Input> {
  readonly conversationId: string;
  /** The agent of the run's session. */
  readonly sessionAgent: EventAgent;
  /** Returns the facts about that agent for a new run; null if it takes no part. */
  sessionIdentity(): Promise<AgentIdentity | AgentUnavailable | null>;
  readonly deadline: RunDeadline;
  readonly budget: Budget;
  /** Safe to call twice. */
  closeAgents(): Promise<unknown>;
  /** Called when the run has ended; `isFinal` is false if it may still continue, as after a failed login. */
  clear(isFinal: boolean, result: RunResult): Promise<void> | void;
}

/** Returns the permissions to write report files. */
export function actsOfReports(reports: RunInput['reports']): readonly NeededAct[] {
  return reports.map(({ file }) => [{ does: 'name a path' }, file]);
}

/** Returns true if nothing of the run is recorded yet. */
export function isNew({ runFolder, begun }: Pick<DriveFolderOptions, 'runFolder' | 'begun'>): boolean {
  return !(begun ?? existsSync(journalFile(runFolder)));
}

/** A run without open agents. */
export function undriven<Input extends RunInput>(
  run: Pick<KnownRun<Input>, 'input' | 'runFolder' | 'runId' | 'clock'>,
): KnownRun<Input> {
  return { ...run, met: { advisor: null, lead: null }, recorded: collectRecords(run.runFolder) };
}

/** Writes `result.json` and the report files; from its first moment on they say "not finished". */
export async function writeResult(
  { runFolder, input }: Pick<KnownRun<RunInput>, 'runFolder' | 'input'>,
  result: RunResult,
): Promise<void> {
  // The next drive writes an unfinished result again.
  const synced = result.state === 'ended';
  writeAtomically(resultFile(runFolder), `${JSON.stringify(result, null, 2)}\n`, { synced });
  // A consult has no report files.
  if (result.schema === 'collab.review/v1') await writeReports(input.reports, result);
}
