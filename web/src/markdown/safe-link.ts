/** Where a link in foreign text may lead: out of the page, by three schemes; null for anything else. */
export function safeLink(href: string | undefined): string | null {
  if (href === undefined || !/^(?:https?:\/\/|mailto:)/i.test(href)) return null;
  try {
    return new URL(href).href;
  } catch {
    return null;
  }
}
