import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { cutToWidth, displayWidth, wrapItemsToWidth, wrapToWidth } from './display-width.ts';

test.each([
  ['abc', 3],
  ['設計', 4],
  ['✏️ a', 4],
  ['👩‍💻', 2],
  ['e\u0301', 1],
])('%s takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test('only one-column characters are counted without splitting into graphemes', () => {
  const letters = Array.from({ length: 0x2200 }, (_, code) => String.fromCodePoint(code)).filter(
    (letter) => displayWidth(letter) !== stringWidth(letter),
  );
  expect(letters).toEqual([]);
  const unit = fc.oneof(
    fc.integer({ min: 0x20, max: 0x17f }),
    fc.constantFrom(0x2013, 0x2014, 0x2019, 0x2026, 0x2192),
  );
  const texts = fc.array(unit.map((code) => String.fromCodePoint(code))).map((parts) => parts.join(''));
  fc.assert(fc.property(texts, (text) => displayWidth(text) === stringWidth(text)));
});

test('X000-4.5,6 a cut keeps whole graphemes and counts wide ones twice', () => {
  expect(cutToWidth('a'.repeat(60), 60)).toBe('a'.repeat(60));
  expect(cutToWidth('a'.repeat(61), 60)).toBe(`${'a'.repeat(57)}...`);
  expect(cutToWidth('設計設計', 7)).toBe('設計...');
  expect(cutToWidth('👩‍💻👩‍💻👩‍💻', 5)).toBe('👩‍💻...');
});

test('lines are broken at spaces, a word that is too wide between its graphemes', () => {
  expect(wrapToWidth('the quick brown fox', 9)).toEqual(['the quick', 'brown fox']);
  expect(wrapToWidth('設計レビュー', 5)).toEqual(['設計', 'レビ', 'ュー']);
  expect(wrapToWidth('a\n  indented text here', 10)).toEqual(['a', '  indented', 'text here']);
});

test('the further lines of an indented list item begin below its text, if there is room', () => {
  expect(wrapItemsToWidth('On the way:\n  - the answer was rejected\n  - it is done', 16)).toEqual([
    'On the way:',
    '  - the answer',
    '    was rejected',
    '  - it is done',
  ]);
  expect(wrapItemsToWidth('  - 設計 レビュー', 10)).toEqual(['  - 設計', '    レビュ', '    ー']);
  expect(wrapItemsToWidth('  - one two', 6)).toEqual(['  -', 'one', 'two']);
  expect(wrapItemsToWidth('a - b - c', 5)).toEqual(['a - b', '- c']);
});

test('no line is wider than requested, and no letter is lost', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '設', '👩‍💻', 'e\u0301') });
  const items = texts.map((text) => `  - ${text}`);
  fc.assert(
    fc.property(fc.oneof(texts, items), fc.integer({ min: 2, max: 20 }), (text, columns) => {
      for (const lines of [wrapToWidth(text, columns), wrapItemsToWidth(text, columns)]) {
        expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
        expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }
    }),
  );
});
