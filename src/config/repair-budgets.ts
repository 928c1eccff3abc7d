/** How often an exchange may use each rung of the ladder, and how many attempts it has in all (X001-9). */
export interface Budgets {
  readonly repairing: number;
  readonly completing: number;
  readonly recontextualising: number;
  readonly shortening: number;
  readonly waiting: number;
  /** Reverse requests that are answered; one more is a rejected answer. */
  readonly answering: number;
  /** Requests that were rejected or settled, in all. */
  readonly attempts: number;
}

export const defaultBudgets: Budgets = {
  repairing: 2,
  completing: 2,
  recontextualising: 1,
  shortening: 2,
  waiting: 3,
  answering: 3,
  attempts: 6,
};
