/** The closed set of severities of a review issue, worst first (R001-11, R001-12). */
export const severities = ['critical', 'important', 'minor'] as const;
export type Severity = (typeof severities)[number];

/** The lowest severity that makes a review exit 1. */
export const failOnGrades = [...severities, 'never'] as const;
export type FailOn = (typeof failOnGrades)[number];

/** Orders `critical` before `important` before `minor`; negative if `left` is worse. */
export function compareSeverity(left: Severity, right: Severity): number {
  return severities.indexOf(left) - severities.indexOf(right);
}
