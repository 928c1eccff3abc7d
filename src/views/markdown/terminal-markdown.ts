/** Renders foreign Markdown for a terminal: wrapped between words, with code in colors and no escape sequence of its own. */
import type { List, PhrasingContent, RootContent, Table } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { boundNesting } from '../../parsers/markdown/bound-nesting.ts';
import { textOf } from '../../parsers/markdown/text-of-nodes.ts';
import { neutralise } from '../../text/neutralise.ts';
import { lineWidth, plain, styled, wrapCode, wrapSpans, type Line, type Span } from '../../text/spans.ts';
import type { Style } from '../../text/paint.ts';
import { colorCode } from './code-colors.ts';
import { colorDiff } from './colored-diff.ts';
import { renderTable } from './terminal-table.ts';

/** Above this many characters a text is shown as it is: parsing is worse than linear in the length. */
const parsedCharacters = 32_768;

/** In less room a quotation or a list has no marks: deeply nested ones would be a column of letters. */
const narrowest = 16;

const parser = remark().use(remarkGfm);

/** Returns the lines of a text, none wider than `columns`. `headingOf` words headings. */
export function renderMarkdown(
  markdown: string,
  columns: number,
  headingOf: (text: string) => string = (text) => text,
): readonly Line[] {
  const safe = neutralise(markdown);
  if (safe.trim() === '') return [];
  if (safe.length > parsedCharacters)
    return safe.split('\n').flatMap((line) => wrapCode([plain(line)], columns));
  const { children } = parser.parse(boundNesting(safe));
  for (const node of children) {
    const only = node.type === 'heading' && node.children.length === 1 ? node.children[0] : undefined;
    if (only?.type === 'text') only.value = headingOf(only.value);
  }
  return blocks(children, Math.max(1, columns));
}

/** Blocks have an empty line between them; items of a tight list do not. */
function blocks(nodes: readonly RootContent[], columns: number, isTight = false): readonly Line[] {
  const lines: Line[] = [];
  for (const node of nodes) {
    const own = block(node, columns);
    if (own.length === 0) continue;
    if (lines.length > 0 && !isTight) lines.push([]);
    lines.push(...own);
  }
  return lines;
}

function block(node: RootContent, columns: number): readonly Line[] {
  switch (node.type) {
    case 'paragraph':
      return wrapBroken(inline(node.children), columns);
    case 'heading':
      return wrapBroken(inline(node.children, ['bold']), columns);
    case 'blockquote':
      if (columns < narrowest) return blocks(node.children, columns);
      return hang(blocks(node.children, columns - 2), styled('│ ', 'dim'), styled('│ ', 'dim'));
    case 'list':
      return list(node, columns);
    case 'code':
      return hang(
        code(node.value, node.lang ?? null).flatMap((line) => wrapCode(line, columns - 2)),
        plain('  '),
        plain('  '),
      );
    case 'table':
      return table(node, columns);
    case 'thematicBreak':
      return [[styled('─'.repeat(Math.min(columns, 24)), 'dim')]];
    case 'html':
      return wrapSpans([plain(node.value)], columns);
    case 'definition':
      return wrapSpans([styled(`[${node.label ?? node.identifier}]: ${node.url}`, 'dim')], columns);
    default:
      return [];
  }
}

function list({ children, ordered, start, spread }: List, columns: number): readonly Line[] {
  if (columns < narrowest) return children.flatMap((item) => blocks(item.children, columns));
  const isTight = spread !== true && children.every((item) => item.spread !== true);
  const last = (start ?? 1) + children.length - 1;
  const width = ordered === true ? String(last).length + 2 : 2;
  return children.flatMap((item, index) => {
    const mark = ordered === true ? `${(start ?? 1) + index}.` : '•';
    const box = typeof item.checked === 'boolean' ? [plain(item.checked ? '[x] ' : '[ ] ')] : [];
    const room = columns - width - (box.length === 0 ? 0 : 4);
    const lines = hang(
      blocks(item.children, room, isTight),
      box[0] ?? plain(''),
      plain(box.length === 0 ? '' : '    '),
    );
    const own = lines.length === 0 ? [[]] : lines;
    const shown = hang(own, styled(mark.padEnd(width), 'dim'), plain(' '.repeat(width)));
    return index === 0 || isTight ? shown : [[], ...shown];
  });
}

function code(value: string, language: string | null): readonly Line[] {
  return language === 'diff' || language === 'patch' ? colorDiff(value) : colorCode(value, language);
}

function table({ children }: Table, columns: number): readonly Line[] {
  const rows = children.map((row) => row.children.map((cell) => inline(cell.children)));
  return renderTable(rows, columns);
}

/** Puts `first` before the first line and `rest` before the others. An empty line stays empty. */
function hang(lines: readonly Line[], first: Span, rest: Span): readonly Line[] {
  return lines.map((line, index) => {
    const mark = index === 0 ? first : rest;
    return line.length === 0 && mark.text.trim() === '' ? [] : [mark, ...line];
  });
}

const lineBreak: Span = { text: '\n', styles: [] };

/** Hard breaks stay; soft ones are spaces. */
function wrapBroken(spans: readonly Span[], columns: number): readonly Line[] {
  const parts: Span[][] = [[]];
  for (const span of spans) {
    if (span === lineBreak) parts.push([]);
    else parts.at(-1)?.push(span);
  }
  return parts.flatMap((part) => wrapSpans(part, columns)).filter((line) => lineWidth(line) > 0);
}

function inline(nodes: readonly PhrasingContent[], styles: readonly Style[] = []): readonly Span[] {
  return nodes.flatMap((node): readonly Span[] => {
    switch (node.type) {
      case 'text':
      case 'html':
        return [{ text: node.value, styles }];
      case 'strong':
        return inline(node.children, add(styles, 'bold'));
      case 'emphasis':
        return inline(node.children, add(styles, 'italic'));
      case 'delete':
        return inline(node.children, add(styles, 'strike'));
      case 'inlineCode':
        return [{ text: node.value, styles: add(styles, 'cyan') }];
      case 'link':
        return [...inline(node.children, styles), ...address(node.url, textOf(node.children))];
      case 'image':
        return [{ text: node.alt ?? '', styles }, ...address(node.url, node.alt ?? '')];
      case 'linkReference':
        return inline(node.children, styles);
      case 'imageReference':
        return [{ text: node.alt ?? '', styles }];
      case 'break':
        return [lineBreak];
      case 'footnoteReference':
        return [{ text: `[${node.label ?? node.identifier}]`, styles }];
      default:
        return [];
    }
  });
}

function add(styles: readonly Style[], style: Style): readonly Style[] {
  return styles.includes(style) ? styles : [...styles, style];
}

/** Shows the address of a link: a text may promise another one. */
function address(url: string, said: string): readonly Span[] {
  if (url === '' || url === said || url === `mailto:${said}` || url === `http://${said}`) return [];
  return [styled(said === '' ? url : ` (${url})`, 'dim')];
}
