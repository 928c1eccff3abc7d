import { expect, test } from 'vitest';
import { identityBeside, identityOf, normaliseTitle } from './fingerprint.ts';

const key = { path: 'a.ts', quote: 'const x = 1;', ordinal: 1, title: 'Title' };

test('an identity is a SHA-256 digest in hex, and stable', () => {
  expect(identityOf(key)).toBe('3a52da30c45115d2b23c1eec87830b43a1c0e4cc7212bbd9c4ac017436cf4682');
});

test('the identity depends on path, words and ordinal, not on white space and title', () => {
  expect(identityOf({ ...key, quote: '  const  x =\n\t1; ', title: 'other' })).toBe(identityOf(key));
  const others = [
    { ...key, path: 'b.ts' },
    { ...key, path: null },
    { ...key, quote: 'const y = 1;' },
    { ...key, ordinal: 2 },
  ];
  expect(new Set([key, ...others].map(identityOf)).size).toBe(5);
});

test('without a quotation the title is used instead', () => {
  const bare = { ...key, quote: null, ordinal: 0 };
  expect(identityOf({ ...bare, title: 'title!' })).toBe(identityOf(bare));
  expect(identityOf({ ...bare, quote: ' \n' })).toBe(identityOf(bare));
  expect(identityOf({ ...bare, title: 'other' })).not.toBe(identityOf(bare));
  expect(identityOf({ ...bare, path: 'b.ts' })).not.toBe(identityOf(bare));
});

test('a further finding on a quotation is distinguished by its title', () => {
  expect(identityBeside(key)).not.toBe(identityOf(key));
  expect(identityBeside({ ...key, title: '*title*' })).toBe(identityBeside(key));
  expect(identityBeside({ ...key, title: 'other' })).not.toBe(identityBeside(key));
  expect(identityBeside({ ...key, ordinal: 2 })).not.toBe(identityBeside(key));
});

test('titles are compared by their letters and digits', () => {
  expect(normaliseTitle('  **Total** is `rounded`,\n before ｔａｘ! ')).toBe('total is rounded before tax');
  expect(normaliseTitle('丸め誤差。')).toBe('丸め誤差');
});
