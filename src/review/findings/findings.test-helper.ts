/** Values for the tests of this folder. */
import type { Finding } from '../../events/collab-event.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { linesOf } from '../../parsers/diff/ranges.ts';
import type { LineRange } from '../../parsers/diff/types.ts';
import { takeCensus, type Census } from '../census/census.ts';
import type { ExchangeReport } from '../outcome/coverage.ts';
import { everything } from '../census/selection.ts';

export function finding(changes: Partial<Finding> = {}): Finding {
  return {
    id: 'F1',
    identity: 'identity',
    severity: 'critical',
    title: 'title',
    body: 'body',
    path: 'a.ts',
    start_line: 1,
    end_line: 1,
    side: 'new',
    placement: 'exact',
    quote: 'added 1',
    verdict: 'unverified',
    ...changes,
  };
}

/** A change of files with two added lines each. */
export function censusOf(...paths: readonly string[]): Census {
  const text = paths
    .map((path) => `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,2 @@\n+added 1\n+added 2\n`)
    .join('');
  return takeCensus(parseUnifiedDiff(text), everything);
}

export function shownOf(census: Census, ...paths: readonly string[]): readonly LineRange[] {
  return linesOf(census.reviewable.filter(({ path }) => paths.includes(path)));
}

export function exchange(changes: Partial<ExchangeReport> = {}): ExchangeReport {
  return {
    name: 'chunk-1',
    outcome: 'settled',
    cause: null,
    shown: [],
    assurance: 'model',
    promptDigest: 'prompt',
    answerDigest: 'answer',
    detail: null,
    cached: null,
    ...changes,
  };
}
