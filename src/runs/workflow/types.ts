/** Everything that one drive of a workflow needs; made once, closed once. */
import type { EventAgent } from '../../events/collab-event.ts';
import type { WorkingCopy } from '../../git/working-copy/working-copy.ts';
import type { WorkflowOutput } from '../../machine/workflow/workflow-types.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { Budget } from '../calls/budget.ts';
import type { Advisor } from '../agents/advisor-agent.ts';
import type { AgentUnavailable } from '../agents/unavailable-agent.ts';
import type { DriveRecordedOptions } from '../drive-options.ts';
import type { Lead } from '../agents/lead-agent.ts';
import type { AnswerWay } from '../calls/reverse-request.ts';
import type { ReadChange } from '../review/read-change.ts';
import type { RunDeadline } from '../calls/deadline.ts';
import type { WorkflowRunInput } from '../folder/run-input.ts';
import type { MetAdvisor } from '../review/actors.ts';

/** The participants, as the first line of a run prints them. */
export interface PairFacts {
  /** The agents' own facts, or why one cannot run; the lead is null if the caller leads. */
  readonly lead: AgentIdentity | AgentUnavailable | null;
  readonly advisor: AgentIdentity | AgentUnavailable;
  /** The reason why `auto` took no model as the advisor; null if it did, or was not asked. */
  readonly fallback: string | null;
  /** `collab/<run>`; null without git. */
  readonly branch: string | null;
  /** Remark on what the lead's copy omits; null if nothing. */
  readonly remark: string | null;
  /** Sources of settings and instructions. */
  readonly notes: readonly string[];
  /** True if the result is applied to the user's own files at the end. */
  readonly apply: boolean;
  /** The phases to run. */
  readonly phases: readonly string[];
  /** For the work of the run, without the time that questions wait. */
  readonly timeLimitMs: number;
}

export interface DriveWorkflowOptions extends DriveRecordedOptions {
  /** Called once, before the first call. */
  readonly onPair?: (facts: PairFacts) => void;
}

export interface WorkflowDrive extends DriveWorkflowOptions {
  readonly input: WorkflowRunInput;
  /** The lead; null if the caller leads. */
  readonly lead: Lead | null;
  readonly leadAgent: EventAgent;
  readonly advisor: Advisor;
  readonly agent: EventAgent;
  readonly answers: { readonly way: AnswerWay };
  readonly copy: WorkingCopy;
  readonly deadline: RunDeadline;
  readonly budget: Budget;
  /** The change of the current review. */
  readonly reviewed: { change: ReadChange | null };
  readonly met: { advisor: MetAdvisor | null; lead: MetAdvisor | null };
  /** Reports once who takes part. */
  introduce(): Promise<AgentIdentity | AgentUnavailable>;
}

export interface WorkflowEnding {
  readonly cancelled: boolean;
  readonly output: WorkflowOutput;
  /** False if a second start may do better: a call ended with a refusal that is not remembered. */
  readonly final: boolean;
}
