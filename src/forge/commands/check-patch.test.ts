import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { applyFile, checkPatch } from './check-patch.ts';

const patchOf = (path: string, more = '', hunk = '@@ -1 +1 @@\n-one\n+two\n') =>
  `diff --git a/${path} b/${path}\n${more}--- a/${path}\n+++ b/${path}\n${hunk}`;

test('a patch of plain files is accepted', () => {
  expect(checkPatch(patchOf('src/a.ts') + patchOf('docs/b.md'))).toMatchObject({
    files: [{ path: 'src/a.ts' }, { path: 'docs/b.md' }],
  });
});

test.each([
  ['', 'changes no file'],
  ['garbage', 'changes no file'],
  [patchOf('.github/workflows/a.yml'), 'decides what is run'],
  [patchOf('.GitHub/actions/a.js'), 'decides what is run'],
  [patchOf('sub/.github/a.yml'), 'decides what is run'],
  [patchOf('.git/config'), 'decides what is run'],
  [patchOf('a/.GIT/hooks/x'), 'decides what is run'],
  [patchOf('.git./config'), 'decides what is run'],
  [patchOf('.gi\u200bt/config'), 'decides what is run'],
  [patchOf('.gitlab-ci.yml'), 'decides what is run'],
  [patchOf('.gitmodules'), 'decides what is run'],
  [patchOf('../a.ts'), 'leads elsewhere'],
  [patchOf('a/../../b.ts'), 'leads elsewhere'],
  [patchOf('a//b.ts'), 'leads elsewhere'],
  [patchOf('C:/b.ts'), 'leads elsewhere'],
  [patchOf('a\\b.ts'), 'leads elsewhere'],
  [
    'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n',
    'no file',
  ],
  [
    'diff --git a/s b/s\nnew file mode 160000\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+Subproject commit abc\n',
    'no file',
  ],
  [
    'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+two\n',
    'mode',
  ],
  ['diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n', 'more than change lines'],
  [Array.from({ length: 51 }, (_, at) => patchOf(`f${at}.ts`)).join(''), 'more than 50 files'],
])('%j is refused', (patch, why) => {
  expect(checkPatch(patch)).toEqual({ fault: expect.stringContaining(why) });
});

const apply = (text: string | null, patch: string) => {
  const [file] = parseUnifiedDiff(patch).files;
  return file === undefined ? null : applyFile(text, file);
};

test('a patch is applied exactly', () => {
  const hunk = '@@ -1,3 +1,4 @@\n a\n-b\n+B\n+BB\n c\n';
  expect(apply('a\nb\nc\nd\n', patchOf('f', '', hunk))).toEqual({ text: 'a\nB\nBB\nc\nd\n' });
  expect(apply('a\nb\nc', patchOf('f', '', hunk))).toEqual({ text: 'a\nB\nBB\nc\n' });
  expect(apply('one', patchOf('f', '', '@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+two\n'))).toEqual({
    text: 'two\n',
  });
  expect(apply('one\n', patchOf('f', '', '@@ -1 +1 @@\n-one\n+two\n\\ No newline at end of file\n'))).toEqual(
    { text: 'two' },
  );
  const added = 'diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+a\n+b\n';
  expect(apply(null, added)).toEqual({ text: 'a\nb\n' });
  const deleted =
    'diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n';
  expect(apply('a\nb\n', deleted)).toEqual({ text: null });
});

test.each([
  ['x\nb\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
  ['a\nb\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
  ['z\na\nb\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
  ['one\n', '@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+two\n'],
  [null, '@@ -1 +1 @@\n-one\n+two\n'],
  ['', '@@ -1 +1 @@\n-one\n+two\n'],
])('a text that does not have the old lines there is refused: %j', (text, hunk) => {
  expect(apply(text, patchOf('f', '', hunk))).toBeNull();
});
