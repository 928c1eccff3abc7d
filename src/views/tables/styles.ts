/** The colors of outcomes and severities at a terminal. The words say the same without them. */
import type { Severity } from '../../tags/severities.ts';
import type { Style } from '../../text/paint.ts';

export const severityStyle: Readonly<Record<Severity, 'red' | 'yellow' | 'cyan'>> = {
  critical: 'red',
  important: 'yellow',
  minor: 'cyan',
};

const styles: Readonly<Record<string, readonly Style[]>> = {
  clean: ['green'],
  done: ['green'],
  settled: ['green'],
  ready: ['green'],
  ok: ['green'],
  findings: ['yellow'],
  incomplete: ['yellow'],
  nothing_reviewed: ['yellow'],
  exhausted: ['yellow'],
  differs: ['yellow'],
  missing: ['yellow'],
  waiting: ['magenta', 'bold'],
  running: ['cyan'],
  interrupted: ['yellow'],
  failed: ['red'],
  unavailable: ['red'],
  unreadable: ['red'],
  faulty: ['red', 'bold'],
  FAILS: ['red', 'bold'],
};

/** Returns no style for a word without one. */
export function outcomeStyle(word: string): readonly Style[] {
  return Object.hasOwn(styles, word) ? (styles[word] ?? []) : [];
}
