/** What the lead is told in a turn, as a value; `lead-prompt.ts` renders it. */
import type { Finding } from '../events/collab-event.ts';
import type { Phase, RequestTag } from '../tags/tags.ts';

export type LeadMessage =
  /** The beginning of requirements, design and review, and a design that the user sent back. */
  | {
      readonly kind: 'draft';
      readonly phase: Exclude<Phase, 'implementation'>;
      readonly brief: LeadBrief;
      /** What the user wants changed in the former draft; null the first time. */
      readonly objection: string | null;
    }
  /** The beginning of a round of the implementation. */
  | {
      readonly kind: 'implement';
      readonly brief: LeadBrief;
      /** The findings to mend, as a work order; null in the first round. */
      readonly workOrder: string | null;
      readonly consults: number;
    }
  /** The draft does not end in the phase's request. */
  | { readonly kind: 'request_absent'; readonly wanted: RequestTag }
  /** It ends in the request of another phase. */
  | { readonly kind: 'wrong_request'; readonly sent: RequestTag; readonly wanted: RequestTag }
  | { readonly kind: 'consults_spent'; readonly limit: number }
  /** The advisor's settled answer, in the middle of the implementation. */
  | { readonly kind: 'advice'; readonly advice: Advice; readonly left: number }
  | { readonly kind: 'no_advice'; readonly reason: string }
  /** The end of requirements and design. */
  | {
      readonly kind: 'settle';
      readonly phase: 'requirements' | 'design';
      readonly advice: Advice | null;
      readonly decision: SettleDecision;
    }
  /** The second opinion on findings of a review. */
  | {
      readonly kind: 'verify';
      readonly findings: readonly FindingToVerify[];
      readonly reads: FilesOfLead;
      /** BCP 47; null leaves it to the lead. */
      readonly language: string | null;
      /** Why its former verdicts on these could not be read; empty the first time. */
      readonly problems: readonly VerdictProblem[];
    }
  /** The last turn was cut, or said nothing. */
  | { readonly kind: 'again'; readonly filesRestored: boolean };

/** What every phase begins with, so that a session that knows nothing yet can go on. */
export interface LeadBrief {
  readonly task: string;
  /** The skill's own words for this phase. */
  readonly template: string;
  /** What the phases before this one came to. */
  readonly settled: readonly SettledPhase[];
  /** Every file that the implementation changed; null before there is one. */
  readonly manifest: string | null;
  /** BCP 47; null leaves it to the lead. */
  readonly language: string | null;
}

/** What a session needs that knows nothing of the work so far: the former one is gone. */
export interface LeadRecap {
  readonly brief: LeadBrief;
  /** The lead's own last words; empty where it has said nothing. */
  readonly said: string;
}

/** What a lead sees that checks findings: a copy of the reviewed state, its own working tree, or no files. */
export type FilesOfLead = 'copy' | 'own_tree' | 'nothing';

export interface FindingToVerify {
  readonly finding: Finding;
  /** The part of the change around it, as a diff; empty where it has no place in the change. */
  readonly context: string;
}

export interface VerdictProblem {
  /** Of the finding. */
  readonly id: string;
  /** Fits "the answer …". */
  readonly problem: string;
}

export interface SettledPhase {
  readonly phase: Phase;
  readonly text: string;
}

export interface Advice {
  /** In the order of the answer. */
  readonly sections: readonly { readonly name: string; readonly text: string }[];
}

export type SettleDecision =
  /** What the user answers to the questions, or to the approach. */
  | { readonly kind: 'answers'; readonly text: string }
  | { readonly kind: 'approved'; readonly comment: string | null }
  /** Nobody is asked: the lead answers the questions itself and says what it assumes. */
  | { readonly kind: 'assume' }
  /** There was nothing to ask. */
  | { readonly kind: 'nothing_asked' };
