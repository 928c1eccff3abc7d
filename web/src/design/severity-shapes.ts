import type { Severity } from '../../../src/client/run-events.ts';

/** A shape and a word name a severity: the color only repeats them. */
export const severityShapes: Readonly<Record<Severity, string>> = {
  critical: '▲',
  important: '◆',
  minor: '●',
};
