import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { canSuggest, placeComment } from './comment-place.ts';
import { findingOn } from './rounds.test-helper.ts';

const diff = `diff --git a/old.ts b/new.ts
similarity index 90%
rename from old.ts
rename to new.ts
--- a/old.ts
+++ b/new.ts
@@ -1,3 +1,3 @@
 const a = [1];
-const b = f(a);
+const b = g(a);
 const c = 3;
@@ -20,2 +20,3 @@
 const t = 20;
+const u = 21;
 const v = 22;
`;
const { files } = parseUnifiedDiff(diff);
const onB = findingOn({ path: 'new.ts', line: 2, quote: 'const b = g(a);' });

test.each([
  ['one line', { start_line: 2, end_line: 2 }, { start: 2, end: 2, otherEnd: null }],
  [
    'a context line has a number on both sides',
    { start_line: 3, end_line: 3 },
    { start: 3, end: 3, otherEnd: 3 },
  ],
  ['several lines', { start_line: 1, end_line: 3 }, { start: 1, end: 3, otherEnd: 3 }],
  ['lines beyond the hunk are cut off', { start_line: 2, end_line: 9 }, { start: 2, end: 3, otherEnd: 3 }],
  [
    'lines of two hunks are those of the first',
    { start_line: 3, end_line: 21 },
    { start: 3, end: 3, otherEnd: 3 },
  ],
] as const)('%s', (_, place, lines) => {
  expect(placeComment({ ...onB, ...place }, files)).toEqual({
    path: 'new.ts',
    oldPath: 'old.ts',
    lines: { side: 'new', ...lines },
  });
});

test('a removed line is on the old side', () => {
  const found = placeComment({ ...onB, side: 'old' }, files);
  expect(found?.lines).toEqual({ side: 'old', start: 2, end: 2, otherEnd: null });
});

test('a line outside of every hunk is a comment on the file, another file has no place', () => {
  expect(placeComment({ ...onB, start_line: 10, end_line: 10 }, files)?.lines).toBeNull();
  expect(placeComment({ ...onB, start_line: null, end_line: null }, files)?.lines).toBeNull();
  expect(placeComment({ ...onB, path: 'old.ts' }, files)).toBeNull();
});

test('a replacement is suggested for exactly the quoted lines', () => {
  expect(canSuggest({ ...onB, replacement: 'const b = h(a);' }, files)).toBe(true);
  expect(canSuggest({ ...onB, replacement: '' }, files)).toBe(true);
  const lines = { start_line: 2, end_line: 3, quote: 'const b = g(a);\nconst c = 3;\n' };
  expect(canSuggest({ ...onB, ...lines, replacement: 'const b = 1;' }, files)).toBe(true);
});

test.each([
  ['no replacement', {}],
  ['another text in the pull request', { quote: 'const b = g(b);', replacement: 'x' }],
  ['another indentation', { quote: '  const b = g(a);', replacement: 'x' }],
  ['more lines than quoted', { end_line: 3, replacement: 'x' }],
  ['lines that are not in the change', { start_line: 9, end_line: 9, replacement: 'x' }],
  ['the old side', { side: 'old', quote: 'const b = f(a);', replacement: 'x' }],
  ['a place that was guessed', { placement: 'loose', replacement: 'x' }],
  ['an open bracket', { replacement: 'const b = h(a;' }],
  ['a bracket too many', { replacement: 'const b = h(a);\n}' }],
  ['a character that is not visible', { replacement: 'const b = h(a);\u202e' }],
] as const)('a replacement is not suggested: %s', (_, more) => {
  expect(canSuggest({ ...onB, ...more }, files)).toBe(false);
});
