/** Compares a review with an earlier result: its findings are still there, and only new ones count. */
import { z } from 'zod';
import { outcomes, type Finding } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { assurances, type Assurance, type Coverage } from '../outcome/coverage.ts';
import { compareSeverity, type Severity } from '../../tags/severities.ts';
import { formerFindingSchema, type BaselineReport } from './known-findings.ts';
import type { ReviewResult } from '../outcome/result.ts';

/** The part of its baseline that a review keeps. */
export const baselineSchema = z.object({
  run_id: z.string(),
  ended_at: z.iso.datetime().nullable(),
  outcome: z.enum(outcomes),
  assurance: z.enum(assurances),
  findings: z.array(
    formerFindingSchema.extend({
      /** The lead of that review rejected it: it is known, but it cannot be fixed. */
      rejected: z.boolean(),
    }),
  ),
});
export type Baseline = z.infer<typeof baselineSchema>;

/**
 * Returns every finding that a result lists, whether it counted there or not. `name` is the file name used in messages.
 *
 * @throws CollabError `result_file` if the review has not ended, has failed, or the result is not of a review
 */
export function takeBaseline(result: ReviewResult, name: string): Baseline {
  const { run_id, ended_at, outcome, assurance, findings } = result;
  if (result.state !== 'ended') throw refuse(name, `its review has not ended (${result.state})`);
  if (outcome === null) throw refuse(name, 'its run had no review');
  if (outcome === 'failed') throw refuse(name, 'its review failed: nothing was reviewed');
  return {
    run_id,
    ended_at,
    outcome,
    assurance,
    findings: findings.map(({ identity, severity, title, path, verdict }) => ({
      identity,
      severity,
      title,
      path,
      rejected: verdict === 'rejected',
    })),
  };
}

/**
 * Marks known findings. A finding that is more severe now than in the baseline counts: its identity may hide another
 * claim.
 */
export function markBaseline(findings: readonly Finding[], baseline: Baseline): readonly Finding[] {
  const known = worstByIdentity(baseline.findings);
  return findings.map((finding) => {
    const severity = known.get(finding.identity);
    if (severity === undefined) return finding;
    const isCovered = compareSeverity(finding.severity, severity) >= 0;
    return { ...finding, ...(isCovered ? { baseline: true } : { known_as: severity }) };
  });
}

function worstByIdentity(findings: Baseline['findings']): ReadonlyMap<string, Severity> {
  const worst = new Map<string, Severity>();
  for (const { identity, severity } of findings) {
    const known = worst.get(identity);
    if (known === undefined || compareSeverity(severity, known) < 0) worst.set(identity, severity);
  }
  return worst;
}

/** Compares marked findings with the baseline: new, still there, fixed or not looked at. */
export function compareWithBaseline(
  { findings: former, ...baseline }: Baseline,
  findings: readonly Finding[],
  coverage: Pick<Coverage, 'files'>,
): BaselineReport {
  const here = new Set(findings.map(({ identity }) => identity));
  const looked = pathsLookedAt(coverage, baseline.assurance);
  const gone = former
    .filter(({ identity, rejected }) => !here.has(identity) && !rejected)
    .map(({ rejected: _rejected, ...finding }) => finding);
  const isSeen = ({ path }: { readonly path: string | null }) => path !== null && looked.has(path);
  return {
    run_id: baseline.run_id,
    ended_at: baseline.ended_at,
    outcome: baseline.outcome,
    new: findings.filter(countsInOutcome).length,
    still_there: findings.filter((finding) => finding.baseline === true).length,
    fixed: gone.filter(isSeen),
    not_looked_at: gone.filter((finding) => !isSeen(finding)),
  };
}

/** Rules do not find everything that a model found: a missing finding proves nothing. */
function pathsLookedAt({ files }: Pick<Coverage, 'files'>, assurance: Assurance): ReadonlySet<string> {
  const enough = assurance === 'static' ? ['reviewed', 'scanned'] : ['reviewed'];
  return new Set(files.filter(({ status }) => enough.includes(status)).map(({ path }) => path));
}

function refuse(name: string, why: string): CollabError {
  return new CollabError('result_file', `${name} is not a baseline: ${why}`, {
    hint: 'Use the result of an ended review, such as a file of --report json=<file>',
  });
}
