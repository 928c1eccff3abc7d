/** Returns the text with a capital as its first letter; the other letters stay as they are. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
