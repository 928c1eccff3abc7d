/** How much work a review does, least first. */
export const effortLevels = ['quick', 'standard', 'deep'] as const;
export type Effort = (typeof effortLevels)[number];

/** Orders `quick` before `standard` before `deep`; negative if `left` is less. */
export function compareEffort(left: Effort, right: Effort): number {
  return effortLevels.indexOf(left) - effortLevels.indexOf(right);
}

export function isEffort(value: unknown): value is Effort {
  return effortLevels.some((level) => level === value);
}
