import type { runWords } from './run-words.ts';
import type { Standing } from './standing-of.ts';

/** What a run came to, in a word. One that was cancelled is that, whatever it had come to. */
export function endWord(
  { outcome, status }: NonNullable<Standing['end']>,
  { outcomes, statuses }: (typeof runWords)['en'],
): string {
  return outcome === null || status === 'cancelled' ? statuses[status] : outcomes[outcome];
}
