/** The judge without a model: a finding is about each fault of which it has a word. Only for sets that list words. */
import type { Finding } from '../../../src/events/collab-event.ts';
import type { KnownFault } from '../sets/benchmark-set.ts';

export const wordsJudge = 'words';

export function judgeByWords(faults: readonly KnownFault[], { title, body }: Finding): ReadonlySet<string> {
  const said = `${title}\n${body}`.toLowerCase();
  return new Set(faults.filter(({ words }) => words.some((word) => said.includes(word))).map(({ id }) => id));
}
