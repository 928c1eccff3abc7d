import type { Clock } from '../system/clock.ts';

/** `2026-11-21T09:30:00.000000Z`: UTC, microseconds. */
export function timestampOf(clock: Clock): string {
  const now = clock.now();
  const micros = Math.floor((now - Math.floor(now)) * 1000);
  const iso = new Date(Math.floor(now)).toISOString();
  return `${iso.slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}
