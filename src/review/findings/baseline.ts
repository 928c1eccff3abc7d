/** An earlier result as the measure of a review: what it had is still there, and only what is new counts. */
import { z } from 'zod';
import { outcomes, type Finding } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { assurances, type Assurance, type Coverage } from '../outcome/coverage.ts';
import { formerFindingSchema, type BaselineReport } from './known-findings.ts';
import type { ReviewResult } from '../outcome/result.ts';

/** What a review keeps of its baseline. */
export const baselineSchema = z.object({
  run_id: z.string(),
  ended_at: z.iso.datetime().nullable(),
  outcome: z.enum(outcomes),
  assurance: z.enum(assurances),
  findings: z.array(
    formerFindingSchema.extend({
      /** The lead of that review has rejected it: it is known, but it can not be fixed. */
      rejected: z.boolean(),
    }),
  ),
});
export type Baseline = z.infer<typeof baselineSchema>;

/**
 * Every finding that a result lists, whether it counted there or not. `name` is what messages call its file.
 *
 * @throws CollabError `result_file` where the review has not ended, failed or was none
 */
export function takeBaseline(result: ReviewResult, name: string): Baseline {
  const { run_id, ended_at, outcome, assurance, findings } = result;
  if (result.state !== 'ended') throw refuse(name, `its review has not ended (${result.state})`);
  if (outcome === null) throw refuse(name, 'its run had no review');
  if (outcome === 'failed') throw refuse(name, 'its review failed: nothing was looked at');
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

export function markBaseline(findings: readonly Finding[], baseline: Baseline): readonly Finding[] {
  const known = new Set(baseline.findings.map(({ identity }) => identity));
  return findings.map((finding) => (known.has(finding.identity) ? { ...finding, baseline: true } : finding));
}

/** Of findings that are marked: what is new, still there, gone or out of sight. */
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

/** Rules do not see what a model had seen: then their silence proves nothing. */
function pathsLookedAt({ files }: Pick<Coverage, 'files'>, assurance: Assurance): ReadonlySet<string> {
  const enough = assurance === 'static' ? ['reviewed', 'scanned'] : ['reviewed'];
  return new Set(files.filter(({ status }) => enough.includes(status)).map(({ path }) => path));
}

function refuse(name: string, why: string): CollabError {
  return new CollabError('result_file', `${name} is no baseline: ${why}`, {
    hint: 'A baseline is the result of a review that has ended, as --report json=<file> writes it',
  });
}
