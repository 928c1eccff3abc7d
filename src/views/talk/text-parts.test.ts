import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextParts, type TextPart } from './text-parts.ts';

function blocksOf(pieces: readonly string[]): readonly TextPart[] {
  const blocks = createTextParts();
  return [...pieces.flatMap((piece) => blocks.push(piece)), ...blocks.end()];
}

const answer = [
  'First.',
  '',
  '- one',
  '',
  '  more of one',
  '',
  '[RESPONSE:REVIEW]',
  '## ISSUES',
  '```md',
  '[REQUEST:REVIEW]',
  '',
  'END 0123456789abcdef',
  '```',
  'END 0123456789abcdef',
  '',
].join('\n');

test('a block ends before a line at the margin behind an empty one; tags stand alone; code stays whole', () => {
  expect(blocksOf([answer])).toEqual([
    { kind: 'markdown', text: 'First.\n' },
    { kind: 'markdown', text: '- one\n\n  more of one\n' },
    { kind: 'tag', tag: '[RESPONSE:REVIEW]' },
    { kind: 'markdown', text: '## ISSUES\n```md\n[REQUEST:REVIEW]\n\nEND 0123456789abcdef\n```' },
  ]);
});

test('a block is given out as soon as it is whole', () => {
  const blocks = createTextParts();
  expect(blocks.push('One.\n\nTwo')).toEqual([]);
  expect(blocks.push('.\n')).toEqual([{ kind: 'markdown', text: 'One.\n' }]);
  expect(blocks.end()).toEqual([{ kind: 'markdown', text: 'Two.' }]);
});

test('the cuts between the pieces change nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: answer.length }), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), answer.length];
      const pieces = places.slice(1).map((end, index) => answer.slice(places[index], end));
      expect(blocksOf(pieces)).toEqual(blocksOf([answer]));
    }),
  );
});

test('the code of one text does not reach into the next', () => {
  const blocks = createTextParts();
  blocks.push('```\nopen');
  blocks.end();
  expect(blocks.push('[REQUEST:REVIEW]\n')).toEqual([{ kind: 'tag', tag: '[REQUEST:REVIEW]' }]);
});
