/** The participants of a run, as its first lines print them. */
import type { CountedChange } from '../machine/review/review-machine.ts';
import type { AgentIdentity } from '../providers/contract/contract.ts';
import type { AgentUnavailable } from './agents/unavailable-agent.ts';
import type { ConsultRunInput } from './folder/run-input.ts';

export type Introduction = ReviewIntroduction | ConsultIntroduction | WorkflowIntroduction;

interface AnyIntroduction {
  /** Sources of settings and instructions, and other remarks. */
  readonly notes: readonly string[];
  /** For the work of the run, without the time that questions wait. */
  readonly timeLimitMs: number;
}

export interface ReviewIntroduction extends AnyIntroduction {
  readonly kind: 'review';
  /** The agent's own facts, or why it cannot run; null if nothing is reviewable and so no advisor is asked. */
  readonly advisor: AgentIdentity | AgentUnavailable | null;
  readonly counted: CountedChange;
  /** The reason why `auto` took no model; null if it did, or was not asked. */
  readonly fallback: string | null;
  /** The agent that checks the findings, or why none does; null if nothing is reviewable. */
  readonly secondOpinion: string | null;
  /** Diff bytes ÷ 4 of all chunks. */
  readonly estimatedTokens: number;
}

export interface ConsultIntroduction extends AnyIntroduction {
  readonly kind: 'consult';
  readonly phase: ConsultRunInput['phase'];
  readonly advisor: AgentIdentity | AgentUnavailable;
  /** The agent or person that answers reverse requests. */
  readonly lead: string | null;
  /** Bytes of brief and context, ÷ 4. */
  readonly estimatedTokens: number;
}

export interface WorkflowIntroduction extends AnyIntroduction {
  readonly kind: 'workflow';
  /** The agent that leads; null if the caller does. */
  readonly lead: AgentIdentity | AgentUnavailable | null;
  readonly advisor: AgentIdentity | AgentUnavailable;
  /** As in a review. */
  readonly fallback: string | null;
  /** `collab/<run>`; null without git. */
  readonly branch: string | null;
  /** Remark on what the lead's copy omits; null if nothing. */
  readonly remark: string | null;
  /** True if the result is applied to the user's own files at the end. */
  readonly apply: boolean;
  /** The phases to run. */
  readonly phases: readonly string[];
}
