/** Tracks the HTML elements that earlier root-level HTML nodes opened and that are still open. */
export interface HtmlNesting {
  readonly read: (html: string) => void;
  readonly isOpen: (element?: string) => boolean;
}

const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Matches comments, declarations and elements whose content is text, not tags. */
const notTags =
  /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<\?[^]*?(?:\?>|$)|<![A-Za-z][^>]*>?|<(script|style|textarea)\b[^<>]*>[^]*?(?:<\/\1\s*>|$)/gi;
const tag = /<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>?/g;

export function createHtmlNesting(): HtmlNesting {
  const open = new Map<string, number>();
  return {
    read: (html) => {
      for (const [, slash, rawName = '', attributes = ''] of html.replace(notTags, '').matchAll(tag)) {
        const name = rawName.toLowerCase();
        if (voidElements.has(name) || attributes.endsWith('/')) continue;
        open.set(name, Math.max(0, (open.get(name) ?? 0) + (slash === '/' ? -1 : 1)));
      }
    },
    isOpen: (element) =>
      element === undefined ? [...open.values()].some((count) => count > 0) : (open.get(element) ?? 0) > 0,
  };
}
