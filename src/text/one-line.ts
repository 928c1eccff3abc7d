/** Replaces all white space, including line endings, with single spaces. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
