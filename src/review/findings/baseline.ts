/** Compares a review with an earlier result: its findings are still there, and only new ones count. */
import { z } from 'zod';
import { outcomes, type Finding } from '../../events/collab-event.ts';
import { countsInOutcome } from '../../events/findings.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { assurances, type Assurance, type Coverage } from '../outcome/coverage.ts';
import { compareSeverity } from '../../tags/severities.ts';
import type { DiffFile } from '../../parsers/diff/types.ts';
import { linesOfText } from './anchor-line.ts';
import { identityBeside } from './fingerprint.ts';
import { formerFindingSchema, type BaselineReport, type FormerFinding } from './known-findings.ts';
import { lacksAnchor, matchFindings } from './match-findings.ts';
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
    findings: findings.map(({ identity, severity, title, path, quote, anchor, source, claim, verdict }) => ({
      identity,
      severity,
      title,
      path,
      quote,
      ...(anchor === undefined ? {} : { anchor }),
      ...(source === undefined ? {} : { source }),
      ...(claim === undefined ? {} : { claim }),
      rejected: verdict === 'rejected',
    })),
  };
}

/**
 * Follows the findings through the renames of the change and looks for their lines. `textOf` returns the text of a path on the
 * new side: null if there is no such file, undefined if it is not known.
 */
export function followBaseline(
  baseline: Baseline,
  files: readonly DiffFile[],
  textOf: (path: string) => string | null | undefined,
): Baseline {
  const added = new Set(linesOfText(addedText(files)));
  const linesByPath = new Map<string, ReadonlySet<string> | null>();
  // A file may have many findings.
  const linesOf = (path: string): ReadonlySet<string> | null => {
    const known = linesByPath.get(path);
    if (known !== undefined) return known;
    const text = textOf(path);
    const lines = text === undefined ? null : new Set(linesOfText(text));
    linesByPath.set(path, lines);
    return lines;
  };
  const renamed = new Map(
    files.map(({ change, oldPath, path }) => [change === 'renamed' ? oldPath : null, path]),
  );
  return {
    ...baseline,
    findings: baseline.findings.map((finding) => {
      if (finding.path === null) return finding;
      const path = renamed.get(finding.path) ?? finding.path;
      const lines = linesOf(path);
      if (lines === null) return { ...finding, path };
      const isThere = !lacksAnchor(finding, lines);
      const isAdded = !lacksAnchor(finding, added);
      const elsewhere = isAdded ? 'moved' : 'gone';
      return { ...finding, path, line_now: isThere ? 'there' : elsewhere };
    }),
  };
}

function addedText(files: readonly DiffFile[]): string {
  return files
    .flatMap(({ hunks }) => hunks)
    .flatMap(({ lines }) => lines)
    .flatMap(({ kind, text }) => (kind === 'added' ? [text] : []))
    .join('\n');
}

/**
 * Marks known findings, which take over the identity of the baseline. A finding that is more severe now than in the
 * baseline counts.
 */
export function markBaseline(findings: readonly Finding[], baseline: Baseline): readonly Finding[] {
  const pairs = matchFindings(baseline.findings, findings);
  const known = new Map(pairs.map(({ former, present }) => [present, former]));
  const inherited = new Set(pairs.map(({ former }) => former.identity));
  return findings.map((finding) => {
    const { identity, title } = finding;
    const former = known.get(finding);
    if (former === undefined)
      return inherited.has(identity) ? { ...finding, identity: identityBeside(identity, title) } : finding;
    const isCovered = compareSeverity(finding.severity, former.severity) >= 0;
    return {
      ...finding,
      identity: former.identity,
      ...(isCovered ? { baseline: true } : { known_as: former.severity }),
    };
  });
}

/** Compares marked findings with the baseline: new, still there, fixed, not seen again or not looked at. */
export function compareWithBaseline(
  { findings: former, ...baseline }: Baseline,
  findings: readonly Finding[],
  coverage: Pick<Coverage, 'files'>,
): BaselineReport {
  const here = new Set(findings.map(({ identity }) => identity));
  const looked = pathsLookedAt(coverage, baseline.assurance);
  const missing = former.filter(({ identity, rejected }) => !here.has(identity) && !rejected);
  const seen = missing.filter(({ path }) => path !== null && looked.has(path));
  return {
    run_id: baseline.run_id,
    ended_at: baseline.ended_at,
    outcome: baseline.outcome,
    new: findings.filter(countsInOutcome).length,
    still_there: findings.filter((finding) => finding.baseline === true).length,
    fixed: seen.filter(({ line_now }) => line_now === 'gone').map(reported),
    not_seen_again: seen.filter(({ line_now }) => line_now !== 'gone').map(reported),
    not_looked_at: missing.filter((finding) => !seen.includes(finding)).map(reported),
  };
}

function reported({ identity, severity, title, path }: FormerFinding): BaselineReport['fixed'][number] {
  return { identity, severity, title, path };
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
