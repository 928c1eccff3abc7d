import { expect, test } from 'vitest';
import { nameOfDiff } from './name-of-diff.ts';

test.each([
  ['diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n', 'src/a.ts'],
  ['diff --git a/a b.ts b/new name.ts\r\n', 'new name.ts'],
  [
    'From: x\n\ndiff --git a/a b/a\n@@\n+diff --git a/no b/no\ndiff --git a/b b/b\ndiff --git a/c b/c\n',
    'a +2',
  ],
  [String.raw`diff --git "a/\303\266" "b/\303\266"`, null],
  ['--- a\n+++ b\n', null],
  ['', null],
])('the name of %j is %j', (diff, name) => {
  expect(nameOfDiff(diff)).toBe(name);
});
