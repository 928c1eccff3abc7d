/** The mean of a figure over the runs, and how far the runs are apart. */

export interface Spread {
  readonly mean: number;
  readonly least: number;
  readonly most: number;
  /** The standard deviation of a sample; null for a single run. */
  readonly deviation: number | null;
}

/** Returns null if a run has no such figure. */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || known.length < values.length) return null;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    mean,
    least: Math.min(...known),
    most: Math.max(...known),
    deviation: known.length === 1 ? null : Math.sqrt(squares / (known.length - 1)),
  };
}
