import type { Tone } from '../design/tone.ts';
import type { runWords } from './run-words.ts';
import type { Standing } from './standing-of.ts';

/** Returns the outcome of a run as a word and its tone. A cancelled run is shown as cancelled, whatever its outcome. */
export function shownEnd(
  { outcome, status }: NonNullable<Standing['end']>,
  { outcomes, statuses }: (typeof runWords)['en'],
): { readonly word: string; readonly tone: Tone } {
  if (outcome === null || status === 'cancelled')
    return { word: statuses[status], tone: status === 'success' ? 'neutral' : 'red' };
  return { word: outcomes[outcome], tone: outcomeTones[outcome] };
}

type ShownOutcome = NonNullable<NonNullable<Standing['end']>['outcome']>;

const outcomeTones: Readonly<Record<ShownOutcome, Tone>> = {
  clean: 'good',
  findings: 'yellow',
  nothing_reviewed: 'yellow',
  incomplete: 'yellow',
  failed: 'red',
  settled: 'neutral',
  exhausted: 'yellow',
  unavailable: 'yellow',
  cancelled: 'neutral',
  unfinished: 'yellow',
};
