import type { AnswerBlock, Section } from './answer-types.ts';
import { sectionNamesOf } from './section-names.ts';

/**
 * Merges the kept answer with the sections that were requested again; the others stay byte for byte (X001-15). A
 * section on both sides was malformed and requested again: the new one counts. The result is in the order of `names`.
 */
export function mergeBlocks(
  kept: AnswerBlock,
  added: readonly Section[],
  names: readonly string[] = sectionNamesOf(kept.tag),
): AnswerBlock {
  const sections = names.flatMap(
    (name) =>
      added.find((section) => section.name === name) ??
      kept.sections.find((section) => section.name === name) ??
      [],
  );
  const present = new Set(sections.map(({ name }) => name));
  return { ...kept, sections, missing: names.filter((name) => !present.has(name)) };
}
