import { expect, test } from 'vitest';
import { namesAny, namesOfRequest } from './request-names.ts';
import { parseUnifiedDiff } from '../diff/parse-diff.ts';

function pathsOf(...texts: readonly string[]): readonly string[] {
  return [...namesOfRequest(texts, []).paths];
}

function symbolsOf(...texts: readonly string[]): readonly string[] {
  return [...namesOfRequest(texts, []).symbols];
}

function changeOf(diff: string) {
  return parseUnifiedDiff(diff).files;
}

const renamed = changeOf(`diff --git a/src/old/sum.ts b/src/new/total.ts
similarity index 90%
rename from src/old/sum.ts
rename to src/new/total.ts
--- a/src/old/sum.ts
+++ b/src/new/total.ts
@@ -1,2 +1,2 @@
 const keptName = 1;
-const goneName = 2;
+const newName = 3;
`);

test('a change is named by its old and new paths, their file names, and the symbols of its lines', () => {
  const { paths, symbols } = namesOfRequest(['Is it right?'], renamed);
  expect({ paths: [...paths], symbols: [...symbols] }).toEqual({
    paths: ['src/new/total.ts', 'total.ts', 'src/old/sum.ts', 'sum.ts'],
    symbols: ['keptName', 'goneName', 'newName'],
  });
});

test('a file without an earlier path is named by its current one', () => {
  const added = changeOf(
    'diff --git a/lib/a.py b/lib/a.py\nnew file mode 100644\n--- /dev/null\n+++ b/lib/a.py\n@@ -0,0 +1 @@\n+x\n',
  );
  expect([...namesOfRequest([], added).paths]).toEqual(['lib/a.py', 'a.py']);
});

test('a request without text and change has no names', () => {
  const { paths, symbols } = namesOfRequest(['', '!?'], []);
  expect({ paths: [...paths], symbols: [...symbols] }).toEqual({ paths: [], symbols: [] });
});

test.each([
  ['Look at docs/money.md, please', ['docs/money.md', 'money.md']],
  ['See ./src/a-b.ts.', ['src/a-b.ts', 'a-b.ts']],
  ['It is in ../lib/x+y.ts...', ['lib/x+y.ts', 'x+y.ts']],
  ['(packages/@scope/core/index.js)', ['packages/@scope/core/index.js', 'index.js']],
  ['main.go', ['main.go']],
  ['a.ts and b.c', ['a.ts']],
  ['src/a.c', ['src/a.c']],
  ['nothing but words', []],
])('the paths that %j names are taken without dots around them, four characters at least', (text, paths) => {
  expect(pathsOf(text)).toEqual(paths);
});

test.each([
  ['`tax` and `get()`', ['tax', 'get']],
  ['`$el` and `_id`', ['$el', '_id']],
  ['`id` is too short for a name', []],
  ['`two words` and `9lives`', []],
  ['`call(argument)`', []],
  ['`total[0]`', []],
])('a word in backticks is a symbol from three characters on: %j', (text, symbols) => {
  expect(symbolsOf(text)).toEqual(symbols);
});

test.each([
  ['grandTotal', ['grandTotal']],
  ['step2Done', ['step2Done']],
  ['v2Api', ['v2Api']],
  ['tax_rate', ['tax_rate']],
  ['Pascal2', ['Pascal2']],
  ['UTF8', ['UTF8']],
  ['$scope', ['$scope']],
  ['total$', ['total$']],
  ['_private', []],
  ['word_', []],
  ['total', []],
  ['Total', []],
  ['TOTAL', []],
  ['2024', []],
  ['aBc', []],
  ['a_b', []],
  ['aBcd', ['aBcd']],
])('prose holds a symbol only where no plain word would stand: %j', (text, symbols) => {
  expect(symbolsOf(text)).toEqual(symbols);
});

test.each([
  ['It is docs/money.md:3.', true],
  ['See money.md', true],
  ['It counts cents.', true],
  ['It reads $scope here', true],
  ['accents are right', false],
  ['cents_left', false],
  ['Cents', false],
  ['money', false],
  ['', false],
])('%j names one of them: %s', (text, expected) => {
  const names = namesOfRequest(['`cents` in docs/money.md and $scope'], []);
  expect(namesAny(text, names)).toBe(expected);
});
