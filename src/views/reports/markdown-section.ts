import type { Heading, Root } from 'mdast';
import { remark } from 'remark';

/** Above this many characters a text is not searched: parsing is worse than linear in the length. */
const searchedCharacters = 100_000;

/**
 * Returns the text under the first heading of this name at the root, up to the next heading of its level; null if there
 * is none.
 */
export function sectionOf(markdown: string, name: string): string | null {
  if (markdown.length > searchedCharacters) return null;
  const root = remark().parse(markdown);
  const head = headsOf(root).find((node) => wordsOf(node).toUpperCase() === name);
  const start = head?.position?.end.offset;
  if (head === undefined || start === undefined) return null;
  const next = headsOf(root).find(
    (node) => node.depth <= head.depth && (node.position?.start.offset ?? 0) > start,
  );
  const section = markdown.slice(start, next?.position?.start.offset).trim();
  return section === '' ? null : section;
}

function headsOf({ children }: Root): readonly Heading[] {
  return children.filter((node) => node.type === 'heading');
}

function wordsOf({ children }: Heading): string {
  return children
    .map((node) => ('value' in node ? node.value : ''))
    .join('')
    .trim();
}
