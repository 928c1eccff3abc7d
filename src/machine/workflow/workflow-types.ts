/** What a run of the four phases is given, asks of the outside, and ends as. */
import type { Budgets } from '../../config/settings.ts';
import type { Advice, SettledPhase, SettleDecision } from '../../prompts/lead-message.ts';
import type { Skill } from '../../prompts/skills/skill.ts';
import type { WorkflowEndCode } from '../../review/outcome/result.ts';
import type { Phase } from '../../tags/tags.ts';
import type { ExchangeOutput } from '../exchange/exchange-types.ts';
import type { LeadFailure, LeadTurnRecord } from '../lead/lead-types.ts';
import type { ReviewOutput } from '../review/review-machine.ts';

export interface WorkflowInput {
  readonly task: string;
  readonly skill: Skill;
  /** BCP 47; null leaves it to the agents. */
  readonly language: string | null;
  readonly budgets: Budgets;
  readonly chunkTokens: number;
  readonly concurrency: number;
  readonly onAdvisorFailure: 'stop' | 'continue';
}

/** A phase in one of its rounds. */
export interface PhasePass {
  readonly phase: Phase;
  /** 1 for the first. */
  readonly round: number;
}

export interface GateInput extends PhasePass {
  /** The lead's draft. */
  readonly draft: string;
  /** Null where the advisor gave no answer. */
  readonly advice: Advice | null;
}

/** What a person, the caller or the policy says at a gate. */
export type GateDecision =
  | { readonly kind: 'go_on'; readonly decision: SettleDecision }
  /** Draft again, in this phase or an earlier one. */
  | { readonly kind: 'revise'; readonly phase: Phase; readonly comment: string }
  | { readonly kind: 'stop'; readonly comment: string | null };

export interface PhaseEnd extends PhasePass {
  /** In a few words: `settled`, `2 critical findings`. */
  readonly result: string;
}

export interface CommitInput extends PhasePass {
  readonly tree: string;
  readonly text: string;
}

export interface Committed {
  /** The commit that holds the tree. */
  readonly head: string;
  /** Every file that differs from the base, one a line; empty where none does. */
  readonly manifest: string;
}

/** Why the work ended; `detail` is a sentence for people without its full stop. */
export interface WorkflowEnd {
  readonly code: WorkflowEndCode;
  readonly detail: string;
  /** The agent's failure that ended it; null where none did. */
  readonly failure: (LeadFailure & { readonly by: 'lead' | 'advisor' }) | null;
}

export type ApplyResult =
  /** Nobody wanted it yet: `collab apply` does it. */
  | { readonly kind: 'left' }
  | { readonly kind: 'applied'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

export interface ReviewRound {
  readonly round: number;
  readonly output: ReviewOutput;
}

export interface WorkflowOutput {
  readonly end: WorkflowEnd;
  readonly phases: readonly PhaseEnd[];
  readonly settled: readonly SettledPhase[];
  /** Consults, in order; the exchanges of reviews are in `reviews`. */
  readonly exchanges: readonly ExchangeOutput[];
  readonly reviews: readonly ReviewRound[];
  readonly leadTurns: readonly (LeadTurnRecord & PhasePass)[];
  /** Consults that got no answer, where the configuration lets the lead go on. */
  readonly withoutAdvice: readonly string[];
  readonly committed: Committed | null;
  readonly applied: ApplyResult;
}
