import type { runWords } from './run-words.ts';
import type { Standing } from './standing-of.ts';

/** What a run came to, in a word and its tone. One that was cancelled is that, whatever it had come to. */
export function shownEnd(
  { outcome, status }: NonNullable<Standing['end']>,
  { outcomes, statuses }: (typeof runWords)['en'],
): { readonly word: string; readonly tone: string } {
  if (outcome === null || status === 'cancelled')
    return { word: statuses[status], tone: status === 'success' ? 'ended' : 'bad' };
  return { word: outcomes[outcome], tone: outcome };
}
