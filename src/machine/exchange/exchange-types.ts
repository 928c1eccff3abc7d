/** What an exchange is asked to do, what one asking comes to, and what it ends as. All of it is JSON. */
import type {
  Cached,
  ExchangeAction,
  ExchangeOutcome,
  RejectionReason,
  Usage,
} from '../../events/collab-event.ts';
import type {
  AnswerBlock,
  DiscountCause,
  Malformation,
  ReverseRequest,
  ReviewIssue,
} from '../../parsers/answers/answer-types.ts';
import type { LineRange } from '../../parsers/diff/types.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { ExchangeCause } from '../../review/outcome/coverage.ts';
import type { ReverseAnswerTag } from '../../tags/tags.ts';
import type { Budgets } from '../../config/settings.ts';
import type { Spent } from './ladder.ts';

export interface ExchangeInput {
  /** Unique in the run: `chunk-3`, `design-1-consult-1`. */
  readonly name: string;
  /** Where its steps lie: `review/chunk-3`, `design/1/consult-1`. */
  readonly path: string;
  readonly request: ConsultRequest;
  readonly budgets: Budgets;
}

/** What is said to the advisor next. Only `request` opens a fresh thread. */
export type Message =
  | { readonly kind: 'request' }
  | { readonly kind: 'structure'; readonly causes: readonly DiscountCause[]; readonly note: string | null }
  | { readonly kind: 'sections'; readonly missing: readonly string[] }
  | { readonly kind: 'correction'; readonly malformations: readonly Malformation[] }
  | { readonly kind: 'context' }
  /** The last of `asked` is what is answered now; a fresh thread is told of all. */
  | { readonly kind: 'reverse_answer'; readonly asked: readonly AskedBack[] }
  | { readonly kind: 'cut_again' };

/** A reverse request of the exchange with what was answered to it. */
export interface AskedBack {
  readonly request: ReverseRequest;
  readonly answer: ReverseAnswer;
}

export interface ReverseAnswer {
  readonly tag: ReverseAnswerTag;
  readonly by: 'lead' | 'user' | 'caller' | 'policy';
  /** Why no answer is given; null where `sections` hold one. */
  readonly declined: string | null;
  readonly sections: Readonly<Record<string, string>>;
}

/** Sections of a rejected block that stay, byte for byte, while the others are asked for again. */
export interface Kept {
  readonly block: AnswerBlock;
  readonly wanted: readonly string[];
  /** The attempts whose sections are in the block. */
  readonly from: readonly number[];
}

export interface AskInput {
  /** 1 for the first turn of the exchange; names its step. */
  readonly turn: number;
  readonly attempt: number;
  readonly exchange: ExchangeInput;
  readonly request: ConsultRequest;
  readonly message: Message;
  readonly sessionId: string | null;
  readonly kept: Kept | null;
  readonly spent: Spent;
  /** How long to wait first; null where the last attempt was not told to wait. */
  readonly wait: { readonly number: number; readonly retryAfterMs: number | null } | null;
  readonly lastIrrelevance: string | null;
}

/** How one turn reads against what the exchange still needs. */
export type Verdict =
  | {
      readonly kind: 'settled';
      readonly block: AnswerBlock;
      readonly issues: readonly ReviewIssue[] | null;
      readonly mergedFrom: readonly number[];
    }
  | { readonly kind: 'asked_back'; readonly request: ReverseRequest }
  | {
      readonly kind: 'rejected';
      readonly reason: RejectionReason;
      readonly detail: string;
      readonly cause: ExchangeCause;
      readonly hint: string | null;
      /** What the next rung says, where it says something. */
      readonly message: Message | null;
      readonly kept: Kept | null;
      readonly final: boolean;
      readonly uncounted: boolean;
      readonly retryAfterMs: number | null;
    };

export interface AskOutput {
  readonly verdict: Verdict;
  readonly action: ExchangeAction;
  readonly sessionId: string | null;
  readonly spent: Spent;
  /** Shorter than `AskInput.request` where the action is `shortening`. */
  readonly request: ConsultRequest;
  readonly record: TurnRecord;
}

/** One turn as `result.json` tells it. */
export interface TurnRecord {
  readonly attempt: number;
  readonly rejected: RejectionReason | null;
  readonly promptBytes: number;
  readonly answerBytes: number;
  readonly durationMs: number;
  readonly promptDigest: string;
  readonly answerDigest: string | null;
  /** The lines of the change that this turn's prompt held. */
  readonly shown: readonly LineRange[];
  readonly usage: Usage | null;
  /** Where the answer came from, where nobody was asked in this run. */
  readonly cached?: Cached;
  /** The kinds of the secrets that were covered in the answer; absent where there were none. */
  readonly covered?: readonly string[];
}

export interface ExchangeOutput {
  readonly name: string;
  readonly path: string;
  readonly request: ConsultRequest;
  readonly outcome: ExchangeOutcome;
  readonly cause: ExchangeCause | null;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly block: AnswerBlock | null;
  readonly issues: readonly ReviewIssue[] | null;
  /** Lines that were in a prompt of the thread that settled; empty where none did. */
  readonly shown: readonly LineRange[];
  readonly turns: readonly TurnRecord[];
}
