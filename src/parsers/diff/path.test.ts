import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { quotePath, readQuotedPath } from './path.ts';

test('octal escapes are the bytes of UTF-8', () => {
  expect(readQuotedPath('"\\346\\227\\245\\\\\\a\\b\\t\\n\\v\\f\\r\\"\\001x" rest')).toEqual({
    path: '日\\\u0007\b\t\n\v\f\r"\u0001x',
    rest: ' rest',
  });
});

test('an unknown escape means its character', () => {
  expect(readQuotedPath('"\\q"')).toEqual({ path: 'q', rest: '' });
});

test('an unclosed or missing quote is not a quoted path', () => {
  expect([
    readQuotedPath('"open'),
    readQuotedPath('plain'),
    readQuotedPath(''),
    readQuotedPath('"end\\'),
  ]).toEqual([null, null, null, null]);
});

test('a plain path is not quoted, an unusual one is quoted like git does', () => {
  expect(quotePath('src/日 本.ts')).toBe('src/日 本.ts');
  expect(quotePath('a"\t\\\u0001\u007f')).toBe('"a\\"\\t\\\\\\001\\177"');
});

test('any path survives quoting', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (path) => {
      const quoted = quotePath(path);
      expect(quoted === path ? path : readQuotedPath(quoted)?.path).toBe(path);
    }),
  );
});
