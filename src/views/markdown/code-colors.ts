/** Colors the syntax of code for a terminal. */
import { createLowlight, common } from 'lowlight';
import { plain, type Line, type Span } from '../../text/spans.ts';
import type { Style } from '../../text/paint.ts';

const lowlight = createLowlight(common);

/** Above this many characters code stays plain: some grammars are slow on long lines. */
const coloredCharacters = 20_000;

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

/** `language`: a name or an alias, such as `ts`; null or an unknown one leaves the code plain. */
export function colorCode(code: string, language: string | null): readonly Line[] {
  const isKnown = language !== null && lowlight.registered(language) && code.length <= coloredCharacters;
  const spans = isKnown
    ? lowlight.highlight(language, code).children.flatMap((node) => spansOf(node, []))
    : [plain(code)];
  return linesOf(spans);
}

function spansOf(node: Node, styles: readonly Style[]): readonly Span[] {
  if (node.type === 'text') return [{ text: node.value, styles }];
  if (node.type !== 'element') return [];
  const own = namesOf(node.properties['className']).flatMap((name) => styleOfClass.get(name) ?? []);
  return node.children.flatMap((child) => spansOf(child, own.length === 0 ? styles : own));
}

function namesOf(className: unknown): readonly string[] {
  return Array.isArray(className) ? className.map(String) : [];
}

const styleOfClass: ReadonlyMap<string, Style> = new Map(
  Object.entries({
    'hljs-keyword': 'magenta',
    'hljs-built_in': 'cyan',
    'hljs-type': 'cyan',
    'hljs-literal': 'yellow',
    'hljs-number': 'yellow',
    'hljs-string': 'green',
    'hljs-regexp': 'green',
    'hljs-symbol': 'yellow',
    'hljs-title': 'blue',
    'hljs-section': 'blue',
    'hljs-name': 'blue',
    'hljs-attr': 'cyan',
    'hljs-attribute': 'cyan',
    'hljs-variable': 'yellow',
    'hljs-comment': 'dim',
    'hljs-quote': 'dim',
    'hljs-meta': 'dim',
    'hljs-addition': 'green',
    'hljs-deletion': 'red',
  } as const),
);

function linesOf(spans: readonly Span[]): readonly Line[] {
  const lines: Span[][] = [[]];
  for (const { text, styles } of spans) {
    const [first = '', ...rest] = text.split('\n');
    if (first !== '') lines.at(-1)?.push({ text: first, styles });
    for (const more of rest) lines.push(more === '' ? [] : [{ text: more, styles }]);
  }
  return lines;
}
