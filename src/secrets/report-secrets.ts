/** The secrets of a text that the rules report: fewer than are masked, each with its severity and who may reject it. */
import { findHits, type SecretHit } from './find-secrets.ts';
import type { Rejectable, ReportedSeverity } from './secret-shape.ts';
import { isTestPath } from './test-path.ts';
import type { TextRange } from './text-range.ts';

export interface ReportableSecret extends TextRange {
  /** The kind of the secret, as `covered_secrets` names it. */
  readonly rule: string;
  readonly severity: ReportedSeverity;
  readonly rejectable: Rejectable;
  /** 1-based; for a private key, the line of its first characters. */
  readonly line: number;
}

/**
 * Returns them in the order of the text, one for each secret; all lines of a private key count as one. Pure;
 * `path` identifies tests and fixtures.
 */
export function findReportableSecrets(text: string, path: string): readonly ReportableSecret[] {
  const inTests = isTestPath(path);
  const lineOf = lineCounter(text);
  const reported = firstLines(findHits(text), lineOf).flatMap((hit) => reportHit(hit, inTests, lineOf));
  return eachOnce(reported).toSorted((one, other) => one.start - other.start);
}

/** If two rows found the same secret, keeps the first one: vendor shapes come before names. */
function eachOnce(found: readonly ReportableSecret[]): readonly ReportableSecret[] {
  const byLine = new Map<number, ReportableSecret[]>();
  return found.filter((secret) => {
    const known = byLine.get(secret.line) ?? [];
    if (known.some(({ start, end }) => start < secret.end && secret.start < end)) return false;
    byLine.set(secret.line, [...known, secret]);
    return true;
  });
}

function reportHit(
  { start, end, rule, row, value, after }: SecretHit,
  inTests: boolean,
  lineOf: (position: number) => number,
): readonly ReportableSecret[] {
  const severity = row.report(value, { inTests, after });
  if (severity === null) return [];
  return [{ rule, start, end, severity, rejectable: row.rejectable, line: lineOf(start) }];
}

function firstLines(hits: readonly SecretHit[], lineOf: (position: number) => number): readonly SecretHit[] {
  let last = -1;
  return hits.filter((hit) => {
    if (hit.rule !== 'private_key') return true;
    const line = lineOf(hit.start);
    const goesOn = line === last + 1;
    last = line;
    return !goesOn;
  });
}

/** Takes positions in any order. */
function lineCounter(text: string): (position: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (position) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
