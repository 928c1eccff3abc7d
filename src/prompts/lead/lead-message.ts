/** The message to the lead in a turn, as a value; `lead-prompt.ts` renders it. */
import type { Finding } from '../../events/collab-event.ts';
import type { Phase, RequestTag } from '../../tags/tags.ts';

export type LeadMessage =
  /** Starts requirements, design or review, or another draft of a design that the user sent back. */
  | {
      readonly kind: 'draft';
      readonly phase: Exclude<Phase, 'implementation'>;
      readonly brief: LeadBrief;
      /** The changes to the former draft that the user wants; null the first time. */
      readonly objection: string | null;
    }
  /** Starts a round of the implementation. */
  | {
      readonly kind: 'implement';
      readonly brief: LeadBrief;
      /** The findings to fix, as a work order; null in the first round. */
      readonly workOrder: string | null;
      readonly consults: number;
    }
  /** Starts the fix of findings that the user chose. */
  | {
      readonly kind: 'fix';
      readonly brief: LeadBrief;
      /** The findings, rendered. */
      readonly order: string;
      /** Their ids. */
      readonly ids: readonly string[];
    }
  /** The lead did not say of these findings whether it fixed or refused them. */
  | { readonly kind: 'fix_unanswered'; readonly ids: readonly string[] }
  /** The draft does not end in the phase's request. */
  | { readonly kind: 'request_absent'; readonly wanted: RequestTag }
  /** The draft ends in the request of another phase. */
  | { readonly kind: 'wrong_request'; readonly sent: RequestTag; readonly wanted: RequestTag }
  | { readonly kind: 'consults_spent'; readonly limit: number }
  /** The advisor's settled answer, in the middle of the implementation. */
  | { readonly kind: 'advice'; readonly advice: Advice; readonly left: number }
  | { readonly kind: 'no_advice'; readonly reason: string | null }
  /** Ends requirements or design. */
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
      /** The agent that checks: the lead, or the advisor in a fresh thread. */
      readonly by: FindingChecker;
      /** True if it is asked to refute them, not to weigh them. */
      readonly refutes: boolean;
      readonly reads: FilesOfLead;
      /** BCP 47; null leaves it to the lead. */
      readonly language: string | null;
      /** The reasons that its former verdicts on these could not be read; empty the first time. */
      readonly problems: readonly VerdictProblem[];
    }
  /** The last turn was cut, or its text was empty. `tooLong`: its answer ended at a length limit. */
  | { readonly kind: 'again'; readonly filesRestored: boolean; readonly tooLong?: true };

/** The agent that checks findings. */
export type FindingChecker = 'lead' | 'advisor';

/** The facts at the start of every phase, enough for a session that knows nothing yet. */
export interface LeadBrief {
  readonly task: string;
  /** The skill's own words for this phase. */
  readonly template: string;
  /** The results of the phases before this one. */
  readonly settled: readonly SettledPhase[];
  /** Every file that the implementation changed; null before the first change. */
  readonly manifest: string | null;
  /** BCP 47; null leaves it to the lead. */
  readonly language: string | null;
}

/** The facts for a session that knows nothing about the work so far, because the former one is gone. */
export interface LeadRecap {
  readonly brief: LeadBrief;
  /** The lead's own last text; empty if it has written none. */
  readonly said: string;
}

/** The files available to a lead that checks findings: a copy of the reviewed state, its own working tree, or none. */
export type FilesOfLead = 'copy' | 'own_tree' | 'nothing';

export interface FindingToVerify {
  readonly finding: Finding;
  /** The part of the change around it, as a diff; empty if it has no place in the change. */
  readonly context: string;
}

export interface VerdictProblem {
  /** The id of the finding. */
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
  /** The user's answer to the questions, or to the approach. */
  | { readonly kind: 'answers'; readonly text: string }
  | { readonly kind: 'approved'; readonly comment: string | null }
  /** No user is asked: the lead answers the questions itself and states its assumptions. */
  | { readonly kind: 'assume' }
  /** There were no questions. */
  | { readonly kind: 'nothing_asked' };

/** Additions to the turn of a lead that called us: it gets its message as a question of the run. */

export const aboutCallersAnswer = 'what you say in this turn, as the text above asks for it';

export function placeOfWork(folder: string | null, edits: boolean): string {
  if (folder === null) return '';
  return `\nThe working folder is ${folder}; ${edits ? 'change files only there' : 'read only, change nothing'}.\n`;
}
