import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphemesOf } from './graphemes.ts';

const family = '👨‍👩‍👧‍👦';

test.each([
  ['', 0],
  ['plain', 5],
  ['x'.repeat(1000), 1000],
  [family.repeat(100), 100],
  ['🇨🇭🇯🇵'.repeat(200), 400],
  [`a${'🇨🇭'.repeat(200)}`, 201],
  [`e${'\u0301'.repeat(3000)}x`, 2],
  [`${'x'.repeat(254)}e\u{1d165}`, 255],
  [`${'x'.repeat(255)}\ud83d`, 256],
])('%j has %i graphemes', (text, count) => {
  expect([...graphemesOf(text)]).toHaveLength(count);
});

test('the graphemes of a long text are those of the whole text', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('x'.repeat(250), family, '🇨🇭', '\u0301', '\r\n', '\u200d', '\ud83d', 'क्षि'),
  );
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (whole) => {
      const expected = [...new Intl.Segmenter().segment(whole)].map(({ segment, index }) => ({
        segment,
        index,
      }));
      expect([...graphemesOf(whole)]).toEqual(expected);
    }),
  );
});
