import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenCover, withoutTokens } from './without-tokens.ts';

const tokens = { short: 'abab', long: 'ababc', empty: '' };

test('X002-24.2 values are covered by their names, the longest first', () => {
  expect(withoutTokens('x ababc y abab z', tokens)).toBe('x [token long] y [token short] z');
});

test('a token’s name is not masked in turn, and does not bring its value back', () => {
  const growing = { ['b'.repeat(9)]: 'a', ['a'.repeat(9)]: 'b', '$&': 'secret', '$`': 'x.y' };
  const masked = '[token $&] [token bbbbbbbbb][token aaaaaaaaa] [token $`] xzy';
  expect(withoutTokens('secret ab x.y xzy', growing)).toBe(masked);
  const cover = createTokenCover(growing);
  expect(Array.from('secret ab x.y xzy', cover.push).join('') + cover.flush()).toBe(masked);
});

test('a stream masks the longer of two values, wherever it is cut', () => {
  const cover = createTokenCover(tokens);
  expect(['ab', 'ab', 'c abab', ' '].map(cover.push).join('') + cover.flush()).toBe(
    '[token long] [token short] ',
  );
});

test('X002-24.1 no cut of a stream lets a value through, and nothing else is lost', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ') }));
  fc.assert(
    fc.property(texts, (pieces) => {
      const cover = createTokenCover({ one: 'abab', other: 'bca' });
      const covered = pieces.map((piece) => cover.push(piece)).join('') + cover.flush();
      expect(covered).not.toMatch(/abab|bca/);
      expect(covered.replaceAll('[token one]', 'abab').replaceAll('[token other]', 'bca')).toBe(
        pieces.join(''),
      );
    }),
  );
});
