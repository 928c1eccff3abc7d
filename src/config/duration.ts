import { CollabError } from '../errors/collab-error.ts';

/** Matches `500ms`, `30s`, `9m`, `1h30m`: units from largest to smallest, each at most once. */
export const durationPattern = /^(?=.)(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?(?:(\d{1,9})ms)?$/;

/** Returns milliseconds. @throws CollabError `usage` */
export function parseDuration(text: string): number {
  const match = durationPattern.exec(text);
  if (match === null) {
    throw new CollabError('usage', `"${text}" is not a duration`, {
      hint: 'Write it with a unit: 500ms, 30s, 9m, 1h30m',
    });
  }
  const amounts = match.slice(1).map((digits) => Number(digits ?? 0));
  return units.reduce((sum, { ms }, index) => sum + (amounts[index] ?? 0) * ms, 0);
}

/** The inverse of `parseDuration`. */
export function writeDuration(totalMs: number): string {
  let leftMs = totalMs;
  const parts = units.map(({ unit, ms }) => {
    const amount = Math.floor(leftMs / ms);
    leftMs -= amount * ms;
    return amount === 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('') || '0s';
}

const units = [
  { unit: 'h', ms: 3_600_000 },
  { unit: 'm', ms: 60_000 },
  { unit: 's', ms: 1000 },
  { unit: 'ms', ms: 1 },
];
