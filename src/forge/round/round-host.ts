/** The requests of a round, in one form for all hosts. Each function throws `ForgeError`. */
import type { Forge } from '../contract.ts';
import type { Waits } from '../waits.ts';
import type { CommentPlace } from './comment-place.ts';
import type { RoundDismissal } from './marks.ts';
import type { OwnThread } from './plan-round.ts';

/** Our part of a pull request. */
export interface RoundOnHost {
  readonly head: string;
  readonly threads: readonly OwnThread[];
  /** Our summaries, the oldest first: two runs at the same time may have written one each. */
  readonly summaries: readonly SummaryOnHost[];
  /** Dismissals that the conversation has, of findings without a thread. */
  readonly dismissed: readonly RoundDismissal[];
  /** Ids of the comments whose commands have our answer. */
  readonly answered: ReadonlySet<string>;
}

export interface SummaryOnHost {
  readonly id: string;
  readonly body: string;
  readonly url: string;
}

export interface RoundComment {
  readonly place: CommentPlace;
  readonly body: string;
}

/** The proof that a review reached its pull request. */
export interface RoundEvidence {
  readonly head: string;
  readonly isPassed: boolean;
  /** One line. */
  readonly title: string;
  readonly text: string;
  /** SHA-256 of the result. */
  readonly digest: string;
  /** The address of the summary; null if there is none. */
  readonly url: string | null;
}

export interface RoundReview {
  readonly head: string;
  readonly body: string;
  readonly comments: readonly RoundComment[];
}

export interface RoundHost extends Forge {
  readonly waits: Waits;
  readonly readRound: () => Promise<RoundOnHost>;
  /** The information string of a block that suggests to replace this many lines; null if the host could misread this text. */
  readonly suggestionOf: (lines: number, text: string) => string | null;
  /** Posts all comments at once, or throws with status 422 and posts none; null if the host posts one at a time. */
  readonly postReview: ((review: RoundReview) => Promise<void>) | null;
  readonly postComment: (head: string, comment: RoundComment) => Promise<void>;
  readonly resolve: (thread: OwnThread) => Promise<void>;
  readonly reopen: (thread: OwnThread) => Promise<void>;
  readonly reply: (thread: OwnThread, body: string) => Promise<void>;
  /** Returns the address of the summary. */
  readonly putSummary: (former: SummaryOnHost | null, body: string) => Promise<string>;
  readonly removeSummary: (summary: SummaryOnHost) => Promise<void>;
  /** Returns the kind of evidence that the login may give; null if it may give none. */
  readonly putEvidence: (evidence: RoundEvidence) => Promise<'check run' | 'commit status' | null>;
}
