/**
 * Converts foreign Markdown to nodes that are safe in our documents: structure and code stay; anything that would load,
 * link, notify, run a command or imitate one of our headings becomes visible text.
 */
import type { BlockContent, DefinitionContent, PhrasingContent, RootContent } from 'mdast';
import { remark } from 'remark';
import { textOf } from '../../parsers/markdown/text-of-nodes.ts';
import { neutralise } from '../../text/neutralise.ts';
import { breakMentions, printable } from '../reports/foreign-text.ts';

export type Block = BlockContent | DefinitionContent;

/** Above this many characters a text is shown unparsed: parsing is worse than linear in the length. */
const parsedCharacters = 32_768;

export function foreignBlocks(markdown: string): readonly Block[] {
  if (markdown.trim() === '') return [];
  if (markdown.length > parsedCharacters) return [{ type: 'code', value: printable(markdown) }];
  return remark().parse(neutralise(markdown)).children.flatMap(asBlock);
}

/** Renders foreign plain text on one line. */
export function foreignText(text: string): readonly PhrasingContent[] {
  return harmless(text.replace(/\s+/gu, ' ').trim());
}

/** Renders foreign text as code, on one line. Code cannot be empty: its two marks would open a longer one. */
export function foreignCode(text: string): PhrasingContent {
  return { type: 'inlineCode', value: printable(text).replace(/\s+/gu, ' ') || ' ' };
}

function asBlock(node: RootContent): readonly Block[] {
  switch (node.type) {
    case 'paragraph':
      return [{ type: 'paragraph', children: node.children.flatMap(asPhrasing) }];
    case 'heading':
      return [
        { type: 'paragraph', children: [{ type: 'strong', children: node.children.flatMap(asPhrasing) }] },
      ];
    case 'blockquote':
      return [{ type: 'blockquote', children: node.children.flatMap(asBlock) }];
    case 'list':
      return [
        {
          ...node,
          children: node.children.map((item) => ({ ...item, children: item.children.flatMap(asBlock) })),
        },
      ];
    case 'code':
      return [codeBlock(node.value, node.lang ?? null)];
    case 'html':
      return [plain(node.value)];
    case 'definition':
      return [plain(`[${node.label ?? node.identifier}]: ${node.url}`)];
    default:
      return [];
  }
}

/** Renders a fence whose language only adds color; some hosts draw or run others. */
export function codeBlock(value: string, language: string | null): Block {
  const lang =
    language !== null && colored.test(language) && !drawn.has(language.toLowerCase()) ? language : null;
  return { type: 'code', lang, value: printable(value) };
}

const colored = /^[A-Za-z0-9_+#-]{1,20}$/;
const drawn: ReadonlySet<string> = new Set([
  'mermaid',
  'math',
  'geojson',
  'topojson',
  'stl',
  'plantuml',
  'suggestion',
]);

function plain(text: string): Block {
  return { type: 'paragraph', children: [...harmless(text)] };
}

function asPhrasing(node: PhrasingContent): readonly PhrasingContent[] {
  switch (node.type) {
    case 'text':
    case 'html':
      return harmless(node.value);
    case 'emphasis':
    case 'strong':
      return [{ type: node.type, children: node.children.flatMap(asPhrasing) }];
    case 'inlineCode':
      return [{ type: 'inlineCode', value: printable(node.value) }];
    case 'link':
      return [...node.children.flatMap(asPhrasing), ...addressUnlessSaid(node.url, textOf(node.children))];
    case 'linkReference':
      return node.children.flatMap(asPhrasing);
    case 'image':
      return [...harmless(node.alt ?? ''), ...addressUnlessSaid(node.url, node.alt ?? '')];
    case 'imageReference':
      return harmless(node.alt ?? '');
    case 'break':
      return [{ type: 'break' }];
    default:
      return [];
  }
}

/** Renders a link's address as code: to be read, not followed. */
function addressUnlessSaid(url: string, said: string): readonly PhrasingContent[] {
  if (url === '' || url === said || url === `mailto:${said}`) return [];
  return [{ type: 'text', value: said === '' ? '' : ' ' }, foreignCode(url)];
}

const bareAddress = /((?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:|xmpp:)\S+)/giu;

/** Escapes text so that hosts make no links, mentions, references or quick actions of it. */
function harmless(text: string): readonly PhrasingContent[] {
  return printable(text)
    .split(bareAddress)
    .map((part, index): PhrasingContent =>
      index % 2 === 1 ? { type: 'inlineCode', value: part } : { type: 'text', value: breakMentions(part) },
    )
    .filter((node) => 'value' in node && node.value !== '');
}
