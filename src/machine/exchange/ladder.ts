/** The ladder of repair (DESIGN §4): which rung answers which rejection, and when the rungs have run out. */
import type { Budgets } from '../../config/settings.ts';
import type { ExchangeAction, RejectionReason } from '../../events/collab-event.ts';

/** A rung is a way back to `asking`; each has a budget of its own. */
export type Rung = 'repairing' | 'completing' | 'recontextualising' | 'shortening' | 'waiting';

/** What an exchange has used of its budgets. */
export type Spent = Budgets;

export const nothingSpent: Spent = {
  repairing: 0,
  completing: 0,
  recontextualising: 0,
  shortening: 0,
  waiting: 0,
  answering: 0,
  attempts: 0,
};

/** The one table: every reason for a rejection has a row, and the row names its rung. */
export const rungOf: { readonly [Reason in RejectionReason]: Rung | null } = {
  marker_absent: 'repairing',
  empty: 'repairing',
  incomplete: 'completing',
  malformed: 'completing',
  irrelevant: 'recontextualising',
  timed_out: 'shortening',
  overloaded: 'waiting',
  cut: 'waiting',
  unavailable: null,
};

export interface Rejection {
  readonly reason: RejectionReason;
  /** No rung may answer it: the prompt cannot be made shorter, the run's time is over. */
  readonly final: boolean;
  /** Ended by us for another turn's sake: it costs no rung. */
  readonly uncounted: boolean;
}

/** What the exchange does after a rejected attempt; `spent` already counts that attempt. */
export function nextAction(rejection: Rejection, spent: Spent, budgets: Budgets): ExchangeAction {
  const rung = rungOf[rejection.reason];
  if (rung === null) return 'unavailable';
  const end = rung === 'waiting' ? 'unavailable' : 'exhausted';
  if (rejection.final || spent.attempts >= budgets.attempts) return end;
  if (rejection.uncounted) return rung;
  return spent[rung] < budgets[rung] ? rung : end;
}
