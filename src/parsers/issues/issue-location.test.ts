import { expect, test } from 'vitest';
import { findLocation, looksLikePath, parseLocation } from './issue-location.ts';

function told(text: string): string | null {
  const found = findLocation(text);
  if (found === null) return null;
  const { path, startLine, endLine } = found.location;
  return startLine === null ? path : `${path} ${startLine}-${endLine}`;
}

test.each([
  ['src/a.ts:41', { path: 'src/a.ts', startLine: 41, endLine: 41 }],
  ['src/a.ts:41-43', { path: 'src/a.ts', startLine: 41, endLine: 43 }],
  ['src/a.ts:41–43', { path: 'src/a.ts', startLine: 41, endLine: 43 }],
  ['src/a.ts:L41-L43', { path: 'src/a.ts', startLine: 41, endLine: 43 }],
  ['src/a.ts#L41-L43', { path: 'src/a.ts', startLine: 41, endLine: 43 }],
  ['src/a.ts:41:7', { path: 'src/a.ts', startLine: 41, endLine: 41 }],
  ['src/a.ts:41,50', { path: 'src/a.ts', startLine: 41, endLine: 50 }],
  ['src/a.ts (lines 41-43)', { path: 'src/a.ts', startLine: 41, endLine: 43 }],
  ['src/a.ts, line 41', { path: 'src/a.ts', startLine: 41, endLine: 41 }],
  ['src/a.ts：41行目', { path: 'src/a.ts', startLine: 41, endLine: 41 }],
  ['src/a.ts:43-41', { path: 'src/a.ts', startLine: 43, endLine: 43 }],
  ['src/a.ts:0', { path: 'src/a.ts', startLine: null, endLine: null }],
  ['my dir/a b.ts:4', { path: 'my dir/a b.ts', startLine: 4, endLine: 4 }],
  ['C:/a.ts:4', { path: 'C:/a.ts', startLine: 4, endLine: 4 }],
  [' README ', { path: 'README', startLine: null, endLine: null }],
  ['https://host/a:80', null],
  ['a\nb', null],
  ['', null],
])('a place alone: %j', (text, location) => {
  expect(parseLocation(text)).toEqual(location);
});

test.each([
  ['see `src/a.ts:41` and `b.ts:2`', 'src/a.ts 41-41'],
  ['in `src/a.ts` (line 41)', 'src/a.ts 41-41'],
  ['in `src/a.ts` lines 41-43', 'src/a.ts 41-43'],
  ['`src/a.ts` first, then b.ts:7', 'b.ts 7-7'],
  ['[a.ts:4](https://host/a.ts#L4)', 'a.ts 4-4'],
  ['[`a.ts:4`](./a.ts)', 'a.ts 4-4'],
  ['src/a.ts line 12 is wrong', 'src/a.ts 12-12'],
  ['app/[id]/(group)/page.tsx:3', 'app/[id]/(group)/page.tsx 3-3'],
  ['`Makefile:12` is wrong', 'Makefile 12-12'],
  ['the file src/checkout/total.ts rounds', 'src/checkout/total.ts'],
  ['`12.34:5` and `1:2` and `word:3` and `aB:3`', null],
  ['`1.2a:3`', '1.2a 3-3'],
  ['`a/b:3` is wrong', 'a/b 3-3'],
  ['`.env:3` is wrong', '.env 3-3'],
  ['`no place` at line 3', null],
  ['[here](https://host/a.ts) and [word:3](x)', null],
  ['`a.ts:4` at line 9', 'a.ts 4-4'],
  ['`foo.bar()` and `x = 1` and `a::b:3`', null],
  ['at 127.0.0.1:3000 or localhost:3000', null],
  ['https://example.com/a.ts:4', null],
  ['version 1.2.3, e.g. nothing', null],
  [`${'x '.repeat(1500)}a.ts:4`, null],
])('the place in %j is %j', (text, place) => {
  expect(told(text)).toBe(place);
});

test.each([
  ['src/a', true],
  ['a.ts', true],
  ['.env', true],
  ['.env.example', true],
  ['Dockerfile', true],
  ['docker/Dockerfile', true],
  ['文書/設計.md', true],
  ['src/', false],
  ['//', false],
  ['a/漢', true],
  ['a/1', true],
  ['1', false],
  ['12.345', false],
  ['1.2/a', true],
  ['MyMakefile', false],
  ['Makefiles', false],
  ['a.ts.word', false],
  ['.Env', false],
  ['.a b', false],
  ['a.TS', true],
  ['word', false],
  ['1.2.3', false],
  ['this.totalAmount', false],
  ['a b.ts', false],
  ['foo()', false],
  ['https://a.b/c', false],
])('%j looks like a path: %s', (path, expected) => {
  expect(looksLikePath(path)).toBe(expected);
});
