import { exchangeSpecs, reverseSpecs, type Tag } from '../../tags/tags.ts';

/** Returns the sections that an answer tag requires, in the specification's order; none for a request. */
export function sectionNamesOf(tag: Tag): readonly string[] {
  const spec = [...exchangeSpecs, ...reverseSpecs].find(({ answer }) => answer === tag);
  return spec?.sections.map(({ name }) => name) ?? [];
}
