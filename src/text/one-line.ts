/** All white space, line ends too, as single blanks. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
