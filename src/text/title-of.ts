import { preview } from './preview.ts';

/** Characters of a title. */
const longestTitle = 80;

/** Returns a text's title for a place with room for one line. */
export function titleOf(text: string): string {
  return preview(firstLineOf(text), longestTitle);
}

export function firstLineOf(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
