import type { EventAgent } from '../../events/collab-event.ts';
import type { WorkingCopy } from '../../git/working-copy/working-copy.ts';
import type { WorkflowOutput } from '../../machine/workflow/workflow-types.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { AgentUnavailable } from '../agents/unavailable-agent.ts';
import type { DriveFolderOptions } from '../drive-options.ts';
import type { Lead } from '../agents/lead-agent.ts';
import type { ReadChange } from '../review/read-change.ts';
import type { FixRunInput, WorkflowRunInput } from '../folder/run-input.ts';
import type { Budget } from '../calls/budget.ts';
import type { ExchangeDrive } from '../calls/exchange-actors.ts';
import type { KeepState } from '../calls/lead-call.ts';
import type { RunDrive, DriveEnding } from '../run-kind.ts';

/** The input of a run on a task, or of one that fixes findings. */
export type WorkInput = WorkflowRunInput | FixRunInput;

export interface WorkflowDrive extends RunDrive<WorkInput>, ExchangeDrive {
  readonly input: WorkInput;
  readonly env: DriveFolderOptions['env'];
  readonly signal: AbortSignal;
  readonly store?: DriveFolderOptions['store'];
  /** The lead; null if the caller leads. */
  readonly lead: Lead | null;
  readonly leadAgent: EventAgent;
  readonly copy: WorkingCopy;
  /** Keeps the states of the copy with the records; absent: the run folder has them. */
  readonly keep?: KeepState | undefined;
  /** The input that is the same on each machine that drives the run. */
  readonly everywhere: WorkInput;
  /** The budget of the calls of the lead. */
  readonly leadBudget: Budget;
  /** The change of the current review. */
  readonly reviewed: { change: ReadChange | null };
  /** Reports once who takes part. */
  introduce(): Promise<AgentIdentity | AgentUnavailable>;
}

export interface WorkflowEnding extends DriveEnding {
  readonly cancelled: boolean;
  readonly output: WorkflowOutput;
}
