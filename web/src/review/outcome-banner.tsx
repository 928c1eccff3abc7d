/** Shows the outcome of the review, its reasons, and what it proves. Only a clean review is green. */
import type { IconNode } from 'lucide';
import type { ReactElement } from 'react';
import type { FileStatus, ReviewResult } from '../../../src/client/run-events.ts';
import { neutralise } from '../../../src/client/markdown.ts';
import { Banner } from '../design/banner.tsx';
import { failed, good, incomplete, nothing, unfinished, unproven, warning } from '../design/icons.ts';
import type { Share } from '../design/share-bar.tsx';
import type { Tone } from '../design/tone.ts';
import { ReasonText } from '../words/reason-text.tsx';
import { reasonsOf, toneOf, type OutcomeTone } from './outcome-tone.ts';
import { useReviewWords, type ReviewWords } from './review-words.ts';

export function OutcomeBanner({ result }: { readonly result: ReviewResult }): ReactElement {
  const words = useReviewWords();
  const { outcome, state } = result;
  const tone = toneOf(result);
  const reasons = reasonsOf(result);
  return (
    <Banner {...looks[tone]} className="outcome" role="region" aria-label={words.review}>
      <h2>{headOf(result, tone, words)}</h2>
      {state === 'ended' && outcome !== null && (
        <p>
          {tone === 'unproven'
            ? words.cleanUnproven
            : words.meaning[tone === 'nothing_reviewed' ? tone : outcome]}{' '}
          {assuranceOf(result, words)}
        </p>
      )}
      {reasons.length > 0 && (
        <ul aria-label={words.reasons}>
          {reasons.map((reason) => (
            <li key={reason}>
              <ReasonText reason={reason} />
            </li>
          ))}
        </ul>
      )}
      <details open={outcome !== 'clean' && outcome !== 'findings'}>
        <summary>{words.details}</summary>
        <ul>
          {factsOf(result, words).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
        <CoveredSecrets result={result} />
      </details>
    </Banner>
  );
}

const looks: Readonly<Record<OutcomeTone, { readonly tone: Tone; readonly icon: IconNode }>> = {
  clean: { tone: 'good', icon: good },
  unproven: { tone: 'neutral', icon: unproven },
  findings: { tone: 'yellow', icon: warning },
  nothing_reviewed: { tone: 'orange', icon: nothing },
  incomplete: { tone: 'orange', icon: incomplete },
  failed: { tone: 'red', icon: failed },
  unfinished: { tone: 'orange', icon: unfinished },
};

function headOf({ state, outcome }: ReviewResult, tone: OutcomeTone, words: ReviewWords): string {
  if (state !== 'ended') return words.state[state];
  if (outcome === null) return words.noReview;
  return words.outcome[tone === 'nothing_reviewed' ? tone : outcome];
}

function assuranceOf({ assurance, coverage }: ReviewResult, words: ReviewWords): string {
  return assurance === 'none' && coverage.lines_reviewed === 0
    ? words.nothingLooked
    : words.assurance[assurance];
}

const statuses: readonly FileStatus[] = ['reviewed', 'scanned', 'skipped', 'failed'];

function factsOf(result: ReviewResult, words: ReviewWords): readonly string[] {
  const { coverage, second_opinion: opinion } = result;
  return [
    words.coverageOf(coverage.lines_reviewed, coverage.lines_scanned, coverage.lines_changed),
    ...fileCounts(coverage.files, words),
    ...(opinion === undefined ? [] : [words.opinion[opinion.state]]),
    ...(typeof opinion?.detail === 'string' ? [neutralise(opinion.detail)] : []),
    ...(opinion?.same_family === true && opinion.asked.length > 0 ? [words.sameFamily] : []),
    ...knownFacts(result, words),
  ];
}

/** Returns the number of files in each status that occurs, in words. */
export function fileCounts(files: CoveredFiles, words: ReviewWords): readonly string[] {
  return fileShares(files).map(({ name, value }) => words.statusCount(value, name));
}

/** Returns the number of files in each status that occurs. */
export function fileShares(files: CoveredFiles): readonly (Share & { readonly name: FileStatus })[] {
  return statuses
    .map((name) => ({ name, value: files.filter(({ status }) => status === name).length }))
    .filter(({ value }) => value > 0);
}

type CoveredFiles = ReviewResult['coverage']['files'];

function knownFacts(
  { baseline, suppressions, exchanges }: ReviewResult,
  words: ReviewWords,
): readonly string[] {
  const cached = exchanges.filter((exchange) => exchange.cached !== undefined).length;
  return [
    ...(baseline === undefined ? [] : [words.baseline(baseline)]),
    ...(suppressions === undefined
      ? []
      : [
          words.suppressions(
            neutralise(suppressions.file),
            suppressions.suppressed,
            suppressions.expired.length,
          ),
        ]),
    ...(cached === 0 ? [] : [words.cached(cached, exchanges.length)]),
  ];
}

/** Shows kind and place of each secret, never its value. */
function CoveredSecrets({ result: { covered_secrets: covered = [] } }: { readonly result: ReviewResult }) {
  const words = useReviewWords();
  if (covered.length === 0) return null;
  return (
    <>
      <p>{words.covered(covered.length)}</p>
      <ul>
        {covered.map(({ rule, path, line, side, exchange }) => (
          <li key={`${rule} ${path} ${side} ${line} ${exchange}`}>
            {path === null ? words.coveredInAnswer : <code>{neutralise(`${path}:${line}`)}</code>} ({rule})
          </li>
        ))}
      </ul>
    </>
  );
}
