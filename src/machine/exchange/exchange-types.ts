/** The input of an exchange, the result of one asking, and the outcome. All of it is JSON. */
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
import type { StructureNote } from '../../prompts/repair/repair.ts';
import type { ConsultRequest } from '../../prompts/request.ts';
import type { ExchangeCause } from '../../review/outcome/coverage.ts';
import type { ReverseAnswerTag } from '../../tags/tags.ts';
import type { Budgets } from '../../config/repair-budgets.ts';
import type { Spent } from './ladder.ts';

export interface ExchangeInput {
  /** Unique in the run: `chunk-3`, `design-1-consult-1`. */
  readonly name: string;
  /** The path of its steps: `review/chunk-3`, `design/1/consult-1`. */
  readonly path: string;
  /** The name of the exchange whose request lost the lines that this one asks about. */
  readonly parent?: string;
  readonly request: ConsultRequest;
  readonly budgets: Budgets;
}

/** The next message to the advisor. Only `request` opens a fresh thread. */
export type ExchangeMessage =
  | { readonly kind: 'request' }
  | {
      readonly kind: 'structure';
      readonly causes: readonly DiscountCause[];
      readonly note: StructureNote | null;
    }
  | {
      readonly kind: 'sections';
      readonly missing: readonly string[];
      /** The answer ended at a length limit. */
      readonly cut?: true;
    }
  /** A review without problems lacks its closing line, whose nonce is `closing`. */
  | { readonly kind: 'unclosed'; readonly closing: string }
  | { readonly kind: 'correction'; readonly malformations: readonly Malformation[] }
  | { readonly kind: 'context' }
  /** The last item of `asked` is answered now; a fresh thread gets all of them. */
  | { readonly kind: 'reverse_answer'; readonly asked: readonly AskedBack[] }
  | { readonly kind: 'cut_again' };

/** A reverse request of the exchange with its answer. */
export interface AskedBack {
  readonly request: ReverseRequest;
  readonly answer: SettledReverseAnswer;
}

export interface SettledReverseAnswer {
  readonly tag: ReverseAnswerTag;
  readonly by: 'lead' | 'user' | 'caller' | 'policy';
  /** The reason for giving no answer; null if `sections` contain one. */
  readonly declined: string | null;
  readonly sections: Readonly<Record<string, string>>;
}

/** Sections of a rejected block that are kept, byte for byte, while the others are requested again. */
export interface Kept {
  readonly block: AnswerBlock;
  readonly wanted: readonly string[];
  /** The attempts whose sections are in the block. */
  readonly from: readonly number[];
}

/** The wait before a repeat. */
export interface RepeatWait {
  /** 1 before the first repeat. */
  readonly number: number;
  /** The time that the agent requests; null if it names none. */
  readonly retryAfterMs: number | null;
  /** True if the last call reached no server. */
  readonly unreachable: boolean;
}

export interface AskInput {
  /** 1 for the first turn of the exchange; names its step. */
  readonly turn: number;
  readonly attempt: number;
  readonly exchange: ExchangeInput;
  readonly request: ConsultRequest;
  readonly message: ExchangeMessage;
  readonly sessionId: string | null;
  readonly kept: Kept | null;
  readonly spent: Spent;
  /** How long to wait first; null if the last attempt did not require a wait. */
  readonly wait: RepeatWait | null;
  readonly lastIrrelevance: string | null;
}

/** The verdict on one turn, given what the exchange still needs. */
export type TurnVerdict =
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
      /** Lexical overlap with the request, 0 to 1; absent if relevance is not the reason. */
      readonly score?: number;
      readonly cause: ExchangeCause;
      readonly hint: string | null;
      /** The message of the next rung, if it has one. */
      readonly message: ExchangeMessage | null;
      readonly kept: Kept | null;
      /** The block as received; absent if no part of the answer could be read, or if all of it is in `kept`. */
      readonly said?: AnswerBlock;
      readonly final: boolean;
      readonly uncounted: boolean;
      readonly retryAfterMs: number | null;
    };

export interface AskOutput {
  readonly verdict: TurnVerdict;
  readonly action: ExchangeAction;
  readonly sessionId: string | null;
  readonly spent: Spent;
  /** A shorter request if the action is `shortening`; else the request stays. Journals up to 0.1.0 repeat it here. */
  readonly request?: ConsultRequest;
  readonly record: TurnRecord;
}

/** One turn as recorded in `result.json`. */
export interface TurnRecord {
  readonly attempt: number;
  readonly rejected: RejectionReason | null;
  readonly promptBytes: number;
  readonly answerBytes: number;
  readonly durationMs: number;
  readonly promptDigest: string;
  readonly answerDigest: string | null;
  /** The lines of the change in this turn's prompt. */
  readonly shown: readonly LineRange[];
  readonly usage: Usage | null;
  /** The source of the answer if no agent was called in this run. */
  readonly cached?: Cached;
  /** The kinds of the secrets that were masked in the answer; absent if there were none. */
  readonly covered?: readonly string[];
}

export interface ExchangeOutput extends Pick<ExchangeInput, 'name' | 'path' | 'request'> {
  readonly outcome: ExchangeOutcome;
  readonly cause: ExchangeCause | null;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly block: AnswerBlock | null;
  readonly issues: readonly ReviewIssue[] | null;
  /** Lines in the prompts of the thread that settled; empty if none did. */
  readonly shown: readonly LineRange[];
  readonly turns: readonly TurnRecord[];
}
