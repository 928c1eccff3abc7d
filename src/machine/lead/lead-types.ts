/** The input and the result of one request to the lead. All of it is JSON. */
import type { Budgets } from '../../config/repair-budgets.ts';
import type { Cached } from '../../events/collab-event.ts';
import type { LeadMessage, LeadRecap } from '../../prompts/lead/lead-message.ts';
import type { LeadWork } from '../../providers/contract/contract.ts';
import type { ExchangeCause } from '../../review/outcome/coverage.ts';
import type { LeadReading } from './read-lead-text.ts';
import type { RepeatWait, TurnRecord } from '../exchange/exchange-types.ts';

export interface LeadInput {
  /** The path of its steps: `design/1/draft-1`. */
  readonly path: string;
  readonly work: Omit<LeadWork, 'folder'>;
  readonly message: LeadMessage;
  /**
   * For a session that is opened in the middle of the work because the former one is gone; null if there is no earlier
   * work.
   */
  readonly recap: LeadRecap | null;
  /** The lead's session to resume; null opens a new one. */
  readonly sessionId: string | null;
  /** The tree of the working folder at the start: a repeated step starts from it. */
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
  readonly wait: RepeatWait | null;
}

/** The result of looking up an answer from earlier runs. */
export type LeadRecalled =
  /** No agent was called; `read` lists the files that the agent read for the stored answer. */
  | {
      readonly kind: 'answered';
      readonly cached: Cached;
      readonly read: readonly string[];
      /** The nonce of its closing line; absent if its prompt requested none. */
      readonly closing?: string;
    }
  /** The reason for not using the stored answer. */
  | { readonly kind: 'fault'; readonly fault: string };

export interface LeadSpent {
  readonly waiting: number;
  /** Repeated turns: those that were cut, too long, timed out or empty. */
  readonly repeating: number;
}

export type LeadAction = 'answered' | 'repeating' | 'waiting' | 'exhausted' | 'unavailable';

export interface LeadAskOutput {
  readonly action: LeadAction;
  /** The final text of the turn; null if there is none. */
  readonly text: string | null;
  readonly failure: LeadFailure | null;
  readonly retryAfterMs: number | null;
  readonly sessionId: string | null;
  /** The tree of the working folder afterwards. */
  readonly tree: string;
  /** The state of the working folder for another machine; absent if it is unchanged, or if the run does not travel. */
  readonly kept?: KeptTree;
  readonly spent: LeadSpent;
  /** Set only if the answer ended at its length limit. */
  readonly tooLong?: true;
  /** The request in a long text, which is not read again; a short one is read when it is needed. */
  readonly reading?: LeadReading;
  readonly record: LeadTurnRecord;
  /** Set only if an answer was stored. */
  readonly recalled?: LeadRecalled;
}

/** A state of the lead's copy, stored with the records. */
export interface KeptTree {
  readonly tree: string;
  /** The commit of the state; null if the run has made none yet. */
  readonly commit: string | null;
  /** The name of the text that has its pack of git, in base64. */
  readonly pack: string;
}

export interface LeadFailure {
  readonly cause: ExchangeCause;
  readonly detail: string;
  readonly hint: string | null;
}

export type LeadTurnRecord = Pick<TurnRecord, 'promptBytes' | 'answerBytes' | 'durationMs' | 'usage'>;

export interface LeadOutput extends Pick<
  LeadAskOutput,
  'text' | 'reading' | 'failure' | 'sessionId' | 'tree' | 'recalled'
> {
  readonly outcome: 'answered' | 'exhausted' | 'unavailable';
  readonly turns: readonly LeadTurnRecord[];
}
