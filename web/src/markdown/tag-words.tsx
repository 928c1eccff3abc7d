import type { ReactElement } from 'react';
import { useMarkdownWords } from './markdown-words.ts';
import { readTag } from './read-tag.ts';

/** Shows a tag of the protocol in words, and one that is not known as it is. */
export function TagWords({ tag }: { readonly tag: string }): ReactElement {
  const words = useMarkdownWords();
  const known = readTag(tag);
  return known === null ? <code>{tag}</code> : <>{words.tag(known)}</>;
}
