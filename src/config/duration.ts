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
  const [hours, minutes, seconds, milliseconds] = match.slice(1).map((digits) => Number(digits ?? 0));
  return (hours ?? 0) * 3_600_000 + (minutes ?? 0) * 60_000 + (seconds ?? 0) * 1000 + (milliseconds ?? 0);
}
