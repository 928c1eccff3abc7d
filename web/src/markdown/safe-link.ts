/** Returns the target of a link in foreign text: out of the page, by three schemes; null for anything else. */
export function safeLink(href: string | undefined): string | null {
  if (href === undefined || !/^(?:https?:\/\/|mailto:)/i.test(href)) return null;
  try {
    return new URL(href).href;
  } catch {
    return null;
  }
}
