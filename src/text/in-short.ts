/** Returns the beginning of a text, at most so many UTF-16 units, with an ellipsis if anything is left out. */
export function inShort(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}
