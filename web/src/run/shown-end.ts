import type { runWords } from './run-words.ts';
import type { Standing } from './standing-of.ts';

/** Returns the outcome of a run as a word and its tone. A cancelled run is shown as cancelled, whatever its outcome. */
export function shownEnd(
  { outcome, status }: NonNullable<Standing['end']>,
  { outcomes, statuses }: (typeof runWords)['en'],
): { readonly word: string; readonly tone: string } {
  if (outcome === null || status === 'cancelled')
    return { word: statuses[status], tone: status === 'success' ? 'ended' : 'bad' };
  return { word: outcomes[outcome], tone: outcome };
}
