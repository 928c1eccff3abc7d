/** The ladder of repair: maps each rejection to a rung and decides when the rungs are used up. */
import type { Budgets } from '../../config/repair-budgets.ts';
import type { ExchangeAction, RejectionReason } from '../../events/collab-event.ts';

/** A way back to `asking`, with its own budget. */
export type Rung = 'repairing' | 'completing' | 'recontextualising' | 'shortening' | 'waiting';

/** The part of its budgets that an exchange has used. */
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

/** The single table of rejections: every reason has a row, and the row names its rung. */
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
  /** True if no rung can help: the prompt cannot be made shorter, or the run is out of time. */
  readonly final: boolean;
  /** Ended by us for the sake of another turn: it costs no rung. */
  readonly uncounted: boolean;
}

/** Returns the action after a rejected attempt; `spent` already counts that attempt. */
export function nextAction(rejection: Rejection, spent: Spent, budgets: Budgets): ExchangeAction {
  const rung = rungOf[rejection.reason];
  if (rung === null) return 'unavailable';
  const end = rung === 'waiting' ? 'unavailable' : 'exhausted';
  if (rejection.final || spent.attempts >= budgets.attempts) return end;
  if (rejection.uncounted) return rung;
  return spent[rung] < budgets[rung] ? rung : end;
}
