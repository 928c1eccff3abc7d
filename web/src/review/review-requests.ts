/** The requests that a review's reader sends, and the server's news about its findings. A context: news redraw no line of the change. */
import { createContext } from 'react';
import type { RequestFailure } from '../server/use-asked.ts';
import type { FixNews } from './fix/fix-news.ts';

/** Resolves with null once it is done, or with the reason why not. */
export type Sent = Promise<RequestFailure | null>;

export interface ReviewRequests {
  /** Starts a run that fixes the findings, and opens it. */
  readonly fix: (findings: readonly string[]) => Sent;
  readonly fixes: FixNews;
  readonly dismiss: (finding: string, reason: string) => Sent;
  readonly dismissals: DismissNews;
}

export interface DismissNews {
  /** Reasons by the id of the finding. */
  readonly reasons: ReadonlyMap<string, string>;
  /** The findings that the reader may dismiss. */
  readonly open: ReadonlySet<string>;
}

export interface ReviewActions extends Pick<ReviewRequests, 'fixes' | 'dismissals'> {
  /** Opens the dialog; null if the review cannot be fixed. */
  readonly openFix: ((finding: string | null) => void) | null;
  /** Opens nothing for a finding that the reader may not dismiss. */
  readonly openDismiss: (finding: string) => void;
}

/** The actions for the cards of findings; null on a page that only shows the review. */
export const ActionsOnReview = createContext<ReviewActions | null>(null);
