/** Renders the figures of saved results for a terminal. Pure. */
import { precisionBySource } from './scores/by-source.ts';
import type { Judgment, SavedResults } from './scores/saved-results.ts';
import { isReviewed } from './scores/saved-results.ts';
import { scoreReview, scoreRun, type RunFigures, type ScoredReview } from './scores/score-run.ts';
import { spreadOf } from './scores/spread.ts';
import { stabilityOf } from './scores/stability.ts';
import { judgmentKey, questionOf } from './judges/judge.ts';
import { judgeByWords, wordsJudge } from './judges/words-judge.ts';

const figureTexts: Readonly<Record<keyof RunFigures, string>> = {
  recall: 'recall: known faults that were found',
  precision: 'precision: findings about a known fault',
  f1: 'F1 of these two',
  lineRecall: 'by line alone: known faults with a finding there',
  linePrecision: 'by line alone: findings at a known fault',
  meaningRecall: 'by meaning alone: known faults that were described',
  meaningPrecision: 'by meaning alone: findings that describe one',
  exactLines: 'exact lines: found faults that share a line',
  severity: 'severity: found faults with a fitting severity',
  quiet: 'quiet: harmless changes without a finding',
};

/** Scores every review of the results with the judgments that they hold. Calls nothing. */
export function scoreResults(results: SavedResults): readonly ScoredReview[] {
  const changes = new Map(results.changes.map((change) => [change.name, change]));
  const judgments = new Map(results.judgments.map(({ key, same }: Judgment) => [key, same]));
  return results.reviews.map((review) => {
    const faults = changes.get(review.change)?.faults ?? [];
    return scoreReview(review, { faults }, (_, finding) => {
      if (results.judge === wordsJudge) return judgeByWords(faults, finding);
      const same = judgments.get(judgmentKey(results.judge, questionOf(faults, finding)));
      return same === undefined ? null : new Set(same);
    });
  });
}

export function runsOf(results: SavedResults, reviews: readonly ScoredReview[]): readonly RunFigures[] {
  return Array.from({ length: results.runs }, (_, index) =>
    scoreRun(reviews.filter(({ run }) => run === index + 1)),
  );
}

export function renderResults(results: SavedResults): string {
  const reviews = scoreResults(results);
  const figures = runsOf(results, reviews);
  const names = Object.keys(figureTexts).filter((name): name is keyof RunFigures => name in figureTexts);
  return [
    `${results.advisor}: ${results.changes.length} changes of ${results.format}, ${counted(results.runs, 'run')}, judged by ${results.judge}`,
    ...results.changes.map(({ name }) => `  ${renderChange(name, reviews)}`),
    '',
    ...names.map((name) => row(figureTexts[name], renderSpread(figures.map((run) => run[name])))),
    ...renderStability(results, reviews),
    ...renderTotals(reviews),
    '',
    'precision by source, over all runs:',
    ...precisionBySource(reviews).map(({ source, findings, fitting }) =>
      row(source, `${fitting} of ${findings}`),
    ),
    '',
  ].join('\n');
}

function renderChange(name: string, reviews: readonly ScoredReview[]): string {
  const own = reviews.filter(({ change }) => change === name);
  const all = own[0]?.faults ?? [];
  const found = own.map(({ byBoth }) => byBoth?.pairs.length ?? '–').join(', ');
  const findings = own.map(({ counted: { length } }) => length).join(', ');
  const outcomes = [...new Set(own.map(({ outcome }) => outcome))].join(', ');
  const missed = all.filter(({ id }) =>
    own.every(({ byBoth }) => byBoth?.pairs.every(({ fault }) => fault.id !== id) ?? false),
  );
  const rest = missed.map(({ text }) => `\n    never found: ${firstLine(text)}`).join('');
  return `${name.padEnd(24)}${outcomes.padEnd(12)}${found} of ${counted(all.length, 'fault')} in ${findings} findings${rest}`;
}

function renderStability(
  { runs, changes }: SavedResults,
  reviews: readonly ScoredReview[],
): readonly string[] {
  if (runs < 2) return [row('stability', 'needs two runs')];
  const byChange = changes.map(({ name }) =>
    reviews.filter((review) => review.change === name).map(({ counted: findings }) => findings),
  );
  const { sameFinding, samePlace } = stabilityOf(byChange);
  return [
    row('stability: findings that recur in another run', percent(sameFinding)),
    row('stability by line alone', percent(samePlace)),
  ];
}

function renderTotals(reviews: readonly ScoredReview[]): readonly string[] {
  const costs = reviews.map(({ cost_usd }) => cost_usd);
  const known = costs.filter((cost) => cost !== null);
  const tokens = reviews.reduce((sum, review) => sum + review.tokens, 0);
  return [
    row('reviewed to the end', `${reviews.filter(isReviewed).length} of ${reviews.length}`),
    row('tokens', tokens.toLocaleString('en-US')),
    row(
      'cost',
      tokens > 0 && known.length < costs.length
        ? 'unknown'
        : `$${known.reduce((sum, cost) => sum + cost, 0).toFixed(2)}`,
    ),
  ];
}

/** `73 % (68–77, deviation 4.6)` of several runs, `73 %` if they are all equal. */
export function renderSpread(values: readonly (number | null)[]): string {
  const spread = spreadOf(values);
  if (spread === null) return 'nothing to count';
  const { mean, least, most, deviation } = spread;
  if (deviation === null || most - least < 0.0005) return percent(mean);
  return `${percent(mean)} (${(least * 100).toFixed(0)}–${(most * 100).toFixed(0)}, deviation ${(deviation * 100).toFixed(1)})`;
}

export function percent(part: number | null): string {
  return part === null ? 'nothing to count' : `${(part * 100).toFixed(0)} %`;
}

function row(name: string, value: string): string {
  return `${name.padEnd(56)}${value}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 100) ?? '';
}
