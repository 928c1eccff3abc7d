/** Findings that somebody has decided not to count: they stay listed with the reason, until their entry expires. */
import { z } from 'zod';
import type { Finding } from '../../events/collab-event.ts';
import type { Coverage } from '../outcome/coverage.ts';
import { normaliseSpace, normaliseTitle } from './fingerprint.ts';
import type { SuppressionReport } from './known-findings.ts';

/** An entry: all that is given must fit a finding. */
const suppressionSchema = z.object({
  /** In its file, from 1. */
  line: z.int().positive(),
  /** The first digits, or all. */
  identity: z.string().nullable(),
  path: z.string().nullable(),
  title: z.string().nullable(),
  quote: z.string().nullable(),
  reason: z.string(),
  /** The last day on which it holds, in UTC. */
  expires: z.iso.date().nullable(),
});
type Suppression = z.infer<typeof suppressionSchema>;

export const suppressionsSchema = z.object({
  /** The file, as it was named. */
  file: z.string(),
  entries: z.array(suppressionSchema),
});
export type Suppressions = z.infer<typeof suppressionsSchema>;

/** `day` is the one on which the run began. An entry that holds goes before one that has expired. */
export function markSuppressed(
  findings: readonly Finding[],
  { entries }: Suppressions,
  day: string,
): readonly Finding[] {
  const inOrder = entries.toSorted(
    (left, right) => Number(hasExpired(left, day)) - Number(hasExpired(right, day)),
  );
  return findings.map((finding) => {
    const entry = inOrder.find((candidate) => fits(candidate, finding));
    if (entry === undefined) return finding;
    const { reason, expires } = entry;
    return { ...finding, suppressed: { reason, expires, expired: hasExpired(entry, day) } };
  });
}

/** Of findings that are marked. What was not looked at may well be there: its entry is not called unused. */
export function reportSuppressions(
  { file, entries }: Suppressions,
  findings: readonly Finding[],
  { coverage, day }: { readonly coverage: Pick<Coverage, 'files'>; readonly day: string },
): SuppressionReport {
  const found = (entry: Suppression) => findings.filter((finding) => fits(entry, finding));
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

function fits({ identity, path, title, quote }: Suppression, finding: Finding): boolean {
  return (
    (identity === null || finding.identity.startsWith(identity)) &&
    (path === null || finding.path === path) &&
    (title === null || normaliseTitle(finding.title) === normaliseTitle(title)) &&
    (quote === null || normaliseSpace(finding.quote ?? '') === normaliseSpace(quote))
  );
}

/** An entry without a path may be about any file: whether it fits nothing is known where nothing was missed. */
function lookedAt({ files }: Pick<Coverage, 'files'>): (path: string | null) => boolean {
  const seen = files.filter(({ status }) => status === 'reviewed' || status === 'scanned');
  const paths = new Set(seen.map(({ path }) => path));
  const isWhole = files.length > 0 && files.every(({ status }) => status !== 'failed');
  return (path) => (path === null ? isWhole : paths.has(path));
}

function factsOf({ line, reason, expires }: Suppression) {
  return { line, reason, expires };
}
