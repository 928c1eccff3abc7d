export interface CheckResults {
  /** One line: counts. */
  readonly summary: string;
  /** The worst first. */
  readonly items: readonly CheckItem[];
}

export interface CheckItem {
  /** The path as the tool wrote it; null if it named none. */
  readonly path: string | null;
  readonly text: string;
}

const mostLines = 12;
const mostCharacters = 1200;

/** Returns the beginning of a message, with the further lines indented. */
export function messageInShort(message: string): string {
  const lines = message.trim().split(/\r\n|[\r\n]/u);
  const shown = lines.slice(0, mostLines).join('\n  ');
  const isCut = lines.length > mostLines || shown.length > mostCharacters;
  return `${shown.slice(0, mostCharacters).replace(/[\uD800-\uDBFF]$/u, '')}${isCut ? ' …' : ''}`;
}
