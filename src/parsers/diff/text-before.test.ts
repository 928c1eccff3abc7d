import { describe, expect, test } from 'vitest';
import { parseUnifiedDiff } from './parse-diff.ts';
import { textBefore } from './text-before.ts';

const old = 'focus: tests\nlanguage: en\n';
const created = 'focus: tests\nlanguage: en\nexclude:\n  - src/**\n';
const head = 'diff --git a/c.yaml b/c.yaml\n';
const names = '--- a/c.yaml\n+++ b/c.yaml\n';
const hunk = '@@ -1,2 +1,4 @@\n focus: tests\n language: en\n+exclude:\n+  - src/**\n';

function before(diff: string, text: string | null, path = 'c.yaml') {
  const [file] = parseUnifiedDiff(diff).files;
  if (file === undefined) throw new Error('no file');
  return textBefore(file, path, text);
}

describe('of a diff that appends lines', () => {
  const diff = `${head}${names}${hunk}`;
  test.each([
    ['with the lines: they are taken away', created, { known: true, text: old }],
    ['without them: it is the old side', old, { known: true, text: old }],
    ['with other lines: it is neither side', 'language: fr\n', { known: false }],
    ['that is missing: it is neither side', null, { known: false }],
  ])('a file %s', (_what, text, expected) => {
    expect(before(diff, text)).toEqual(expected);
  });
});

test('blob ids decide if the lines fit both sides', () => {
  const removal = `${names}@@ -1,4 +1,2 @@\n focus: tests\n language: en\n-exclude:\n-  - src/**\n`;
  // Made by git hash-object.
  const ids = 'index 34ccd78..cd5d953 100644\n';
  expect(before(`${head}${ids}${removal}`, created)).toEqual({ known: true, text: created });
  expect(before(`${head}${ids}${removal}`, old)).toEqual({ known: true, text: created });
});

test.each([
  ['without context', '@@ -2,0 +3,2 @@\n+exclude:\n+  - src/**\n'],
  ['in two places', '@@ -1,1 +1,1 @@\n-focus: all\n+focus: tests\n@@ -2,0 +3,2 @@\n+exclude:\n+  - src/**\n'],
])('hunks %s are undone', (what, hunks) => {
  const expected = what === 'without context' ? old : old.replace('tests', 'all');
  expect(before(`${head}${names}${hunks}`, created)).toEqual({ known: true, text: expected });
});

test.each([
  [
    'a file that the diff adds',
    `${head}new file mode 100644\n--- /dev/null\n+++ b/c.yaml\n@@ -0,0 +1 @@\n+a: 1\n`,
    'a: 1\n',
    null,
  ],
  [
    'a file that the diff moves here',
    'diff --git a/d.yaml b/c.yaml\nsimilarity index 100%\nrename from d.yaml\nrename to c.yaml\n',
    'a: 1\n',
    null,
  ],
  [
    'a file that the diff removed',
    `${head}deleted file mode 100644\n--- a/c.yaml\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a: 1\n-b: 2\n`,
    null,
    'a: 1\nb: 2\n',
  ],
  [
    'a file that the diff would remove',
    `${head}deleted file mode 100644\n--- a/c.yaml\n+++ /dev/null\n@@ -1 +0,0 @@\n-a: 1\n`,
    'a: 1\n',
    'a: 1\n',
  ],
  ['a file whose mode alone changes', `${head}old mode 100644\nnew mode 100755\n`, 'a: 1\n', 'a: 1\n'],
])('the old side of %s', (_what, diff, text, expected) => {
  expect(before(diff, text)).toEqual({ known: true, text: expected });
});

test('the old side of a file that the diff moved away is unknown without its text', () => {
  const moved = 'diff --git a/c.yaml b/d.yaml\nsimilarity index 100%\nrename from c.yaml\nrename to d.yaml\n';
  expect(before(moved, null)).toEqual({ known: false });
  expect(before(moved, 'a: 1\n')).toEqual({ known: true, text: 'a: 1\n' });
});

test.each([
  ['without ids', '', old, null],
  ['with the id of the text as its new side', 'index cd5d953..34ccd78 100644\n', created, null],
  ['with the id of the text as its old side', 'index cd5d953..34ccd78 100644\n', old, old],
  ['that it deletes', 'deleted file mode 100644\nindex cd5d953..0000000\n', null, null],
])(
  'a diff that calls a file binary %s shows at most that nothing changed yet',
  (_what, ids, text, expected) => {
    const diff = `${head}${ids}Binary files a/c.yaml and b/c.yaml differ\n`;
    expect(before(diff, text)).toEqual(
      expected === null ? { known: false } : { known: true, text: expected },
    );
  },
);

test('lines that fit the old side do not count against the id of the new side', () => {
  const forged = `index 0000001..cd5d953 100644\n${names}@@ -1 +1,2 @@\n focus: tests\n+added\n`;
  expect(before(`${head}${forged}`, old)).toEqual({ known: false });
});
