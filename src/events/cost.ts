/**
 * Dollars without rounding (X002-23): sums are made of whole picodollars, 10⁻¹² of a dollar. A number holds them exactly up to
 * eight thousand dollars.
 */
export function toPicodollars(usd: number): bigint {
  return BigInt(usd.toFixed(12).replace('.', ''));
}

export function toUsd(picodollars: bigint): number {
  return Number(renderUsd(picodollars));
}

/** Returns null if either part has no price. */
export function addCost(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : toUsd(toPicodollars(one) + toPicodollars(other));
}

/** Formats without an exponent and without trailing zeros: `0.000123`, `0`. */
export function renderUsd(picodollars: bigint): string {
  const digits = picodollars.toString().padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
}
