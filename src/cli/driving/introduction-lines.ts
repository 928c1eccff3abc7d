/** The first lines of a run on a pipe, each a sentence. */
import type { Introduction } from '../../runs/introduction.ts';
import { neutralise } from '../../text/neutralise.ts';
import { introductionFacts } from './introduction-facts.ts';

export function introductionLines(facts: Introduction): readonly string[] {
  const { title, groups } = introductionFacts(facts);
  const lines = groups.map((group) => group.map(({ text, inLine = text }) => inLine).join('; '));
  return [neutralise(title), ...lines.map((line) => `  ${neutralise(line)}`)];
}
