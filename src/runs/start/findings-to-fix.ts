/** Finds the run and the findings that a request to fix means. */
import { resolve } from 'node:path';
import { CollabError } from '../../errors/collab-error.ts';
import type { Finding } from '../../events/collab-event.ts';
import { countsInOutcome, inReportOrder, placeOfFinding } from '../../events/findings.ts';
import { findingNamed } from '../../review/findings/named-finding.ts';
import type { ReviewResult } from '../../review/outcome/result.ts';
import { readReviewResultFile } from '../folder/named-result.ts';
import { readResult } from '../folder/result-file.ts';
import { listRuns, resolveRun, type RunFolder } from '../folder/run-folder.ts';
import { inputIfReadable } from '../folder/run-title.ts';
import { isSameTree } from './same-tree.ts';
import type { StartPlace } from './start-place.ts';
import type { FixStart } from './start-request.ts';

export interface ChosenFindings {
  /** The id of the run whose findings they are. */
  readonly run: string;
  readonly findings: readonly Finding[];
}

/** @throws CollabError `usage`, `input`, `run_not_found` */
export async function findingsToFix(
  request: FixStart,
  { home, cwd }: Pick<StartPlace, 'home' | 'cwd'>,
): Promise<ChosenFindings> {
  const { findings: names = [], all_critical } = request;
  const { run, review } = sourceOf(request, { home, cwd });
  const { run_id, findings } = review;
  const critical = findings.filter((one) => one.severity === 'critical' && countsInOutcome(one));
  const named = [
    ...names.map((name) => findingNamed(findings, name)),
    ...(all_critical === true ? critical : []),
  ];
  if (named.length === 0) throw nothingChosen(run_id, findings, all_critical === true);
  if (run !== null) await refuseElsewhere(run, cwd);
  return { run: run_id, findings: inReportOrder([...new Set(named)]) };
}

interface FindingsSource {
  /** The run that made the review; null for a saved result. */
  readonly run: RunFolder | null;
  readonly review: ReviewResult;
}

function sourceOf(
  { run: wanted, from }: FixStart,
  { home, cwd }: Pick<StartPlace, 'home' | 'cwd'>,
): FindingsSource {
  if (from === undefined) {
    const run = wanted === undefined ? newestWithFindings(home) : resolveRun(home, wanted);
    return { run, review: endedReview(run) };
  }
  if (wanted === undefined) return { run: null, review: savedReview(resolve(cwd, from)) };
  throw new CollabError('usage', `--from ${from} and the run ${wanted} are two sources of findings`);
}

function newestWithFindings(home: string): RunFolder {
  return listRuns(home).find(hasFindings) ?? resolveRun(home);
}

function hasFindings({ path }: RunFolder): boolean {
  const result = readResult(path);
  return result?.schema === 'collab.review/v1' && result.state === 'ended' && result.findings.length > 0;
}

/** Its findings may be about other files than these: the lead sees the files as they are here. */
function savedReview(file: string): ReviewResult {
  const result = readReviewResultFile(file);
  if (result.state === 'ended' && result.findings.length > 0) return result;
  throw new CollabError('usage', `${file} has no findings of a review that has ended`);
}

function endedReview({ runId, path }: RunFolder): ReviewResult {
  const result = readResult(path);
  if (result?.schema === 'collab.review/v1' && result.state === 'ended') {
    if (result.findings.length > 0) return result;
    throw new CollabError('usage', `${runId} has no findings to fix`, {
      hint: 'collab runs lists the runs with their outcomes.',
    });
  }
  throw new CollabError('usage', `${runId} is not a review that has ended`, {
    hint: `See its state: collab status ${runId}`,
  });
}

function nothingChosen(runId: string, findings: readonly Finding[], critical: boolean): CollabError {
  const shown = inReportOrder(findings)
    .slice(0, mostShown)
    .map((finding) => `${finding.id} ${finding.severity} ${placeOfFinding(finding)}`);
  const more = findings.length > mostShown ? ', …' : '';
  const message = critical ? `${runId} has no Critical finding` : 'no finding is named';
  return new CollabError('usage', message, {
    hint: `Name findings of ${runId}: ${shown.join(', ')}${more}`,
  });
}

const mostShown = 8;

/** A fix edits a copy of the files here; the findings must be about them. */
async function refuseElsewhere({ runId, path }: RunFolder, cwd: string): Promise<void> {
  const reviewed = inputIfReadable(path)?.cwd;
  if (reviewed === undefined || (await isSameTree(reviewed, cwd))) return;
  throw new CollabError('usage', `${runId} reviewed ${reviewed}, not the current folder`, {
    hint: `Go there first: cd ${JSON.stringify(reviewed)}`,
  });
}
