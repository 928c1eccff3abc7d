/** Everything that one drive of a workflow needs; made once, closed once. */
import type { EventAgent } from '../../events/collab-event.ts';
import type { WorkingCopy } from '../../git/working-copy/working-copy.ts';
import type { WorkflowOutput } from '../../machine/workflow/workflow-types.ts';
import type { AgentIdentity } from '../../providers/contract/contract.ts';
import type { Budget } from '../calls/budget.ts';
import type { Advisor } from '../agents/advisor-agent.ts';
import type { Refusal } from '../agents/unavailable-agent.ts';
import type { DriveFolderOptions } from '../drive-options.ts';
import type { HeardEvents } from '../../engine/journal/recorded-events.ts';
import type { Lead } from '../agents/lead-agent.ts';
import type { AnswerWay } from '../calls/reverse-request.ts';
import type { ReadChange } from '../review/read-change.ts';
import type { RunDeadline } from '../calls/deadline.ts';
import type { WorkflowRunInput } from '../folder/run-input.ts';
import type { MetAdvisor } from '../review/actors.ts';

/** Who takes part, as the first line of a run says it. */
export interface PairFacts {
  /** The agents' own facts, or why one cannot run; the lead is null where the caller leads. */
  readonly lead: AgentIdentity | Refusal | null;
  readonly advisor: AgentIdentity | Refusal;
  /** Why `auto` took no model as the advisor; null where it did, or was not asked. */
  readonly fallback: string | null;
  /** `collab/<run>`; null without git. */
  readonly branch: string | null;
  /** What was left out of the lead's copy; null where nothing was. */
  readonly remark: string | null;
  /** From where settings and instructions were taken. */
  readonly notes: readonly string[];
  /** Whether the result is brought into the user's own files at the end. */
  readonly apply: boolean;
  /** The phases that will be gone through. */
  readonly phases: readonly string[];
}

export interface DriveWorkflowOptions extends DriveFolderOptions {
  /** Called once, before the first call is made. */
  readonly onPair?: (facts: PairFacts) => void;
}

export interface WorkflowDrive extends DriveWorkflowOptions {
  readonly input: WorkflowRunInput;
  /** Null where whoever called us leads. */
  readonly lead: Lead | null;
  readonly leadAgent: EventAgent;
  readonly advisor: Advisor;
  readonly agent: EventAgent;
  readonly answers: { readonly way: AnswerWay };
  readonly copy: WorkingCopy;
  readonly deadline: RunDeadline;
  readonly budget: Budget;
  readonly heard: HeardEvents;
  /** The change of the review that goes on. */
  readonly reviewed: { change: ReadChange | null };
  readonly met: { advisor: MetAdvisor | null; lead: MetAdvisor | null };
  /** Says once who gets what. */
  introduce(): Promise<AgentIdentity | Refusal>;
}

export interface WorkflowEnding {
  readonly cancelled: boolean;
  readonly output: WorkflowOutput;
  /** False where a second start may do better: a call ended by a refusal that is not remembered. */
  readonly final: boolean;
}
