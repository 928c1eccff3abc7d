import { allTags, type Tag } from '../../../src/client/markdown.ts';

/** Returns the tag of the protocol that the text is; null for any other text. */
export function readTag(text: string): Tag | null {
  const alone = text.trim();
  return allTags.find((tag) => tag === alone) ?? null;
}
