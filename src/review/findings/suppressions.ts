/** Findings that the user decided not to count: they stay listed with the reason, until their entry expires. */
import { z } from 'zod';
import type { Finding } from '../../events/collab-event.ts';
import type { Coverage } from '../outcome/coverage.ts';
import { claimClasses } from '../../tags/claims.ts';
import { compareSeverity, severities, type Severity } from '../../tags/severities.ts';
import {
  distinctIdentities,
  identityOf,
  normaliseSpace,
  normaliseTitle,
  unclassedIdentityOf,
} from './fingerprint.ts';
import type { SuppressionReport } from './known-findings.ts';

/** An entry: all its fields must match a finding. */
const suppressionSchema = z.object({
  /** The line in its file, from 1. */
  line: z.int().positive(),
  /** The first digits, or all of them. */
  identity: z.string().nullable(),
  path: z.string().nullable(),
  title: z.string().nullable(),
  quote: z.string().nullable(),
  /** The highest severity that it suppresses; null or absent if the entry names none. */
  severity: z.enum(severities).nullable().optional(),
  reason: z.string(),
  /** The last day on which it is valid, in UTC. */
  expires: z.iso.date().nullable(),
});
type Suppression = z.infer<typeof suppressionSchema>;

export const suppressionsSchema = z.object({
  /** The file name as the user wrote it. */
  file: z.string(),
  entries: z.array(suppressionSchema),
});
export type Suppressions = z.infer<typeof suppressionsSchema>;

/**
 * Marks suppressed findings. `day` is the day of the run's start. A valid entry takes precedence over an expired one.
 */
export function markSuppressed(
  findings: readonly Finding[],
  { entries }: Suppressions,
  day: string,
): readonly Finding[] {
  const inOrder = entries.toSorted(
    (left, right) => Number(hasExpired(left, day)) - Number(hasExpired(right, day)),
  );
  return named(findings).map(({ finding, identities }) => {
    const fitting = inOrder.filter((candidate) => fits(candidate, finding, identities));
    const entry = fitting.find((candidate) => covers(candidate, finding));
    if (entry !== undefined) {
      const { reason, expires } = entry;
      return { ...finding, suppressed: { reason, expires, expired: hasExpired(entry, day) } };
    }
    const [weaker] = fitting.filter((candidate) => !hasExpired(candidate, day));
    return weaker === undefined ? finding : { ...finding, known_as: worstCovered(weaker) };
  });
}

/** An entry without a severity may match any claim at its place, but never a Critical one. */
const coveredWithoutSeverity: Severity = 'important';

function worstCovered({ severity }: Suppression): Severity {
  return severity ?? coveredWithoutSeverity;
}

function covers(entry: Suppression, finding: Finding): boolean {
  return compareSeverity(finding.severity, worstCovered(entry)) >= 0;
}

/** Reports on marked findings. An entry for files that were not looked at is not reported as unused. */
export function reportSuppressions(
  { file, entries }: Suppressions,
  findings: readonly Finding[],
  { coverage, day }: { readonly coverage: Pick<Coverage, 'files'>; readonly day: string },
): SuppressionReport {
  const all = named(findings);
  const found = (entry: Suppression) =>
    all.flatMap(({ finding, identities }) => (fits(entry, finding, identities) ? [finding] : []));
  const expired = entries.filter((entry) => hasExpired(entry, day));
  const isLookedAt = lookedAt(coverage);
  const unused = entries.filter(
    (entry) => !hasExpired(entry, day) && isLookedAt(entry.path) && found(entry).length === 0,
  );
  return {
    file,
    suppressed: findings.filter(({ suppressed }) => suppressed?.expired === false).length,
    expired: expired.map((entry) => ({
      ...factsOf(entry),
      findings: found(entry).filter(({ suppressed }) => suppressed?.expired === true).length,
    })),
    unused: unused.map(factsOf),
  };
}

function hasExpired({ expires }: Suppression, day: string): boolean {
  return expires !== null && expires < day;
}

interface NamedFinding {
  readonly finding: Finding;
  /** Its own, and those by which an entry about the same claim may name it. */
  readonly identities: readonly string[];
}

function named(findings: readonly Finding[]): readonly NamedFinding[] {
  const unclassed = distinctIdentities(findings, unclassedIdentityOf);
  return findings.map((finding, index) => ({
    finding,
    identities: [
      ...[finding.identity, finding.first_identity, unclassed[index]].flatMap((each) => each ?? []),
      // Without a class it may be the same as a finding of any class.
      ...(finding.claim === undefined ? claimClasses.map((claim) => identityOf({ ...finding, claim })) : []),
    ],
  }));
}

function fits(
  { identity, path, title, quote }: Suppression,
  finding: Finding,
  identities: readonly string[],
): boolean {
  return (
    (identity === null || identities.some((known) => known.startsWith(identity))) &&
    (path === null || finding.path === path) &&
    (title === null || normaliseTitle(finding.title) === normaliseTitle(title)) &&
    (quote === null || normaliseSpace(finding.quote ?? '') === normaliseSpace(quote))
  );
}

/** An entry without a path may match any file: it is known to be unused only if no file was missed. */
function lookedAt({ files }: Pick<Coverage, 'files'>): (path: string | null) => boolean {
  const seen = files.filter(({ status }) => status === 'reviewed' || status === 'scanned');
  const paths = new Set(seen.map(({ path }) => path));
  const isWhole = files.length > 0 && files.every(({ status }) => status !== 'failed');
  return (path) => (path === null ? isWhole : paths.has(path));
}

function factsOf({ line, reason, expires }: Suppression) {
  return { line, reason, expires };
}
