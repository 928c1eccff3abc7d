/** What the lead is asked to do in one go, and what that comes to. All of it is JSON. */
import type { Budgets } from '../../config/settings.ts';
import type { Cached, Usage } from '../../events/collab-event.ts';
import type { LeadMessage, LeadRecap } from '../../prompts/lead-message.ts';
import type { LeadWork } from '../../providers/contract/contract.ts';
import type { ExchangeCause } from '../../review/outcome/coverage.ts';

export interface LeadInput {
  /** Where its steps lie: `design/1/draft-1`. */
  readonly path: string;
  readonly work: Omit<LeadWork, 'folder'>;
  readonly message: LeadMessage;
  /** For a session that is opened in the middle of the work, because the former one is gone; null where nothing went before. */
  readonly recap: LeadRecap | null;
  /** The lead's session to go on in; null opens one. */
  readonly sessionId: string | null;
  /** The tree of the working folder as this begins: a repeated step starts from it. */
  readonly tree: string;
  readonly budgets: Pick<Budgets, 'waiting'>;
}

export interface LeadAskInput {
  readonly lead: LeadInput;
  /** 1 for the first; names its step. */
  readonly turn: number;
  readonly message: LeadMessage;
  readonly sessionId: string | null;
  readonly tree: string;
  readonly spent: LeadSpent;
  readonly wait: { readonly number: number; readonly retryAfterMs: number | null } | null;
}

/** What the answers of earlier runs have given. */
export type LeadRecalled =
  /** Nobody was asked; `read` are the files that the lead had read when it was. */
  | { readonly kind: 'answered'; readonly cached: Cached; readonly read: readonly string[] }
  /** Why the answer that lies there was not taken. */
  | { readonly kind: 'fault'; readonly fault: string };

export interface LeadSpent {
  readonly waiting: number;
  /** Turns that were cut, timed out or empty, and asked for again. */
  readonly repeating: number;
}

export type LeadAction = 'answered' | 'repeating' | 'waiting' | 'exhausted' | 'unavailable';

export interface LeadAskOutput {
  readonly action: LeadAction;
  readonly text: string | null;
  readonly failure: LeadFailure | null;
  readonly retryAfterMs: number | null;
  readonly sessionId: string | null;
  /** The tree of the working folder afterwards. */
  readonly tree: string;
  readonly spent: LeadSpent;
  readonly record: LeadTurnRecord;
  /** Absent where nothing lay there. */
  readonly recalled?: LeadRecalled;
}

export interface LeadFailure {
  readonly cause: ExchangeCause;
  readonly detail: string;
  readonly hint: string | null;
}

export interface LeadTurnRecord {
  readonly promptBytes: number;
  readonly answerBytes: number;
  readonly durationMs: number;
  readonly usage: Usage | null;
}

export interface LeadOutput {
  readonly outcome: 'answered' | 'exhausted' | 'unavailable';
  /** The final text of the turn; null where there is none. */
  readonly text: string | null;
  readonly failure: LeadFailure | null;
  readonly sessionId: string | null;
  readonly tree: string;
  readonly turns: readonly LeadTurnRecord[];
  /** Absent where nothing lay there. */
  readonly recalled?: LeadRecalled;
}
