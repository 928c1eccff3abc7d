import { expect, test } from 'vitest';
import {
  firstIdentityOf,
  identityBeside,
  identityOf,
  normaliseTitle,
  unclassedIdentityOf,
} from './fingerprint.ts';

const anchor = { line: 'const x = 1;', symbol: 'total', ordinal: 1 };
const key = { path: 'a.ts', anchor, title: 'Title' };

test('an identity is a SHA-256 digest in hex, and stable', () => {
  expect(identityOf(key)).toBe('cc2c29080db7d54e4c9dbfbfe7e74f4392c52fe1cfd6242c8222681c73110a82');
});

test('the identity depends on path, anchor and rule, not on the title', () => {
  expect(identityOf({ ...key, title: 'other' })).toBe(identityOf(key));
  const others = [
    { ...key, path: 'b.ts' },
    { ...key, path: null },
    { ...key, anchor: { ...anchor, line: 'const y = 1;' } },
    { ...key, anchor: { ...anchor, symbol: null } },
    { ...key, anchor: { ...anchor, ordinal: 2 } },
    { ...key, source: 'rule:eval' },
  ];
  expect(new Set([key, ...others].map(identityOf)).size).toBe(7);
});

test('without a quotation the title is used instead', () => {
  const bare = { path: 'a.ts', title: 'Title' };
  expect(identityOf({ ...bare, title: 'title!' })).toBe(identityOf(bare));
  expect(identityOf({ ...bare, title: 'other' })).not.toBe(identityOf(bare));
  expect(identityOf({ ...bare, path: 'b.ts' })).not.toBe(identityOf(bare));
});

test('a further finding of an identity is distinguished by its title', () => {
  const beside = (title: string): string => identityBeside(identityOf(key), title);
  expect(beside('Title')).not.toBe(identityOf(key));
  expect(beside('*title*')).toBe(beside('Title'));
  expect(beside('other')).not.toBe(beside('Title'));
});

test('the identity of version 0.1.0 depends on path, words and ordinal, not on white space and title', () => {
  const first = { path: 'a.ts', quote: 'const x = 1;', ordinal: 1, title: 'Title' };
  const identity = '3a52da30c45115d2b23c1eec87830b43a1c0e4cc7212bbd9c4ac017436cf4682';
  expect(firstIdentityOf(first)).toBe(identity);
  expect(firstIdentityOf({ ...first, quote: '  const  x =\n\t1; ', title: 'other' })).toBe(identity);
  const bare = { ...first, quote: ' \n', ordinal: 0 };
  const others = [
    { ...first, path: null },
    { ...first, quote: 'const y = 1;' },
    { ...first, ordinal: 2 },
    bare,
    { ...bare, title: 'other' },
  ];
  expect(new Set([first, ...others].map(firstIdentityOf)).size).toBe(6);
  expect(firstIdentityOf({ ...bare, quote: null, title: 'title!' })).toBe(firstIdentityOf(bare));
});

test('titles are compared by their letters and digits', () => {
  expect(normaliseTitle('  **Total** is `rounded`,\n before ｔａｘ! ')).toBe('total is rounded before tax');
  expect(normaliseTitle('丸め誤差。')).toBe('丸め誤差');
});

test('the class is a part of the identity; without one it is as before', () => {
  const classed = (['security', 'tests'] as const).map((claim) => ({ ...key, claim }));
  expect(new Set([key, ...classed].map(identityOf)).size).toBe(3);
  expect(classed.map(unclassedIdentityOf)).toEqual([identityOf(key), identityOf(key)]);
  const bare = { path: 'a.ts', title: 'Title' };
  expect(identityOf({ ...bare, claim: 'tests' })).not.toBe(identityOf(bare));
});
