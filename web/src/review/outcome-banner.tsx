/** What the review came to, why, and what that proves. Green is only what is clean. */
import type { ReactElement } from 'react';
import type { FileStatus, ReviewResult } from '../../../src/client/run-events.ts';
import { neutralise } from '../../../src/client/markdown.ts';
import { useReviewWords, type ReviewWords } from './review-words.ts';

export function OutcomeBanner({ result }: { readonly result: ReviewResult }): ReactElement {
  const words = useReviewWords();
  const { outcome, state, reasons } = result;
  const isOver = state === 'ended';
  const tone = isOver ? (outcome ?? 'clean') : 'unfinished';
  const head = !isOver ? words.state[state] : outcome === null ? words.noReview : words.outcome[outcome];
  return (
    <section className={`outcome ${tone}`} aria-label={words.review}>
      <h2>
        <span aria-hidden="true">{signs[tone]}</span> {head}
      </h2>
      {isOver && outcome !== null && <p>{words.meaning[outcome]}</p>}
      {isOver && reasons.length > 0 && (
        <ul aria-label={words.reasons}>
          {reasons.map((reason) => (
            <li key={reason}>{sentenceOf(reason)}</li>
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
    </section>
  );
}

const signs = { clean: '✓', findings: '!', incomplete: '◐', failed: '✕', unfinished: '…' } as const;

/** A reason is `code: sentence`; people get the sentence, programs the code. */
function sentenceOf(reason: string): string {
  return neutralise(reason.replace(/^[a-z_]+: /, ''));
}

const statuses: readonly FileStatus[] = ['reviewed', 'scanned', 'skipped', 'failed'];

function factsOf(result: ReviewResult, words: ReviewWords): readonly string[] {
  const { coverage, assurance, second_opinion: opinion } = result;
  const files = statuses.flatMap((status) => {
    const number = coverage.files.filter((file) => file.status === status).length;
    return number === 0 ? [] : [words.statusCount(number, status)];
  });
  return [
    words.coverageOf(coverage.lines_reviewed, coverage.lines_scanned, coverage.lines_changed),
    ...files,
    words.assurance[assurance],
    ...(opinion === undefined ? [] : [words.opinion[opinion.state]]),
    ...(typeof opinion?.detail === 'string' ? [neutralise(opinion.detail)] : []),
    ...(opinion?.same_family === true && opinion.asked.length > 0 ? [words.sameFamily] : []),
    ...knownFacts(result, words),
  ];
}

function knownFacts(
  { baseline, suppressions, exchanges }: ReviewResult,
  words: ReviewWords,
): readonly string[] {
  const cached = exchanges.filter((exchange) => exchange.cached !== undefined).length;
  return [
    ...(baseline === undefined
      ? []
      : [words.baseline(baseline.run_id, baseline.new, baseline.still_there, baseline.fixed.length)]),
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

/** Kind and place of each, never its value. */
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
