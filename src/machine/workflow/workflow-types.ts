/** The input of a run of the four phases, its calls to the outside, and its output. */
import type { Finding } from '../../events/collab-event.ts';
import type { FixAnswer } from '../../parsers/answers/fix-answers.ts';
import type { JudgedFix } from '../../review/findings/judge-fixes.ts';
import type { Budgets } from '../../config/repair-budgets.ts';
import type { Advice, SettledPhase, SettleDecision } from '../../prompts/lead/lead-message.ts';
import type { Skill } from '../../prompts/skills/skill.ts';
import type { WorkflowEndCode } from '../../review/outcome/result.ts';
import type { Phase } from '../../tags/tags.ts';
import type { ExchangeOutput } from '../exchange/exchange-types.ts';
import type { KeptTree, LeadFailure, LeadTurnRecord } from '../lead/lead-types.ts';
import type { ReviewOutput } from '../review/review-machine.ts';

export interface WorkflowInput {
  readonly task: string;
  readonly skill: Skill;
  /** BCP 47; null leaves it to the agents. */
  readonly language: string | null;
  readonly budgets: Budgets;
  readonly chunk_tokens: number;
  readonly concurrency: number;
  readonly on_advisor_failure: 'stop' | 'continue';
  /** The findings to fix; null if the run works on a task. */
  readonly fix: readonly Finding[] | null;
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
  /** The advisor's answer; null if it gave none. */
  readonly advice: Advice | null;
}

/** The answer of a user, the caller or the policy at a gate. */
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

export interface CommittedWork {
  /** The commit that contains the tree. */
  readonly head: string;
  /** Every file that differs from the base, one per line; empty if none does. */
  readonly manifest: string;
  /** The commit for another machine; absent if the run does not travel. */
  readonly kept?: KeptTree;
}

/** The reason that the work ended; `detail` is a sentence for users without its full stop. */
export interface WorkflowEnd {
  readonly code: WorkflowEndCode;
  readonly detail: string;
  /** The agent failure that ended the work; null if none did. */
  readonly failure: (LeadFailure & { readonly by: 'lead' | 'advisor' }) | null;
}

export type ApplyResult =
  /** Not applied yet: `collab apply` does it. */
  | { readonly kind: 'left' }
  | { readonly kind: 'applied'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** The fixes of a round, to be judged with the findings of its review. */
export interface JudgeFixesInput extends PhasePass {
  readonly tree: string;
  readonly chosen: readonly Finding[];
  readonly answers: readonly FixAnswer[];
  readonly reported: readonly Finding[];
}

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
  /** Consults without an answer, if the configuration allows the lead to continue. */
  readonly withoutAdvice: readonly string[];
  readonly committed: CommittedWork | null;
  /** The fates of the findings to fix, after the last review; empty in a run on a task. */
  readonly fixes: readonly JudgedFix[];
  readonly applied: ApplyResult;
}
