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

/** Formats with six decimals, half up, as specification 000 does: `0.001000`. */
export function renderRoundedUsd(usd: number): string {
  const digits = ((toPicodollars(usd) + 500_000n) / 1_000_000n).toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Formats without an exponent and without trailing zeros: `0.000123`, `0`. */
export function renderUsd(picodollars: bigint): string {
  const digits = picodollars.toString().padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
}
