import { expect, test } from 'vitest';
import { colorDiff } from './colored-diff.ts';

const texts = (diff: string) => colorDiff(diff).map((line) => line.map(({ text }) => text).join(''));

test('the header of a file is its path', () => {
  const diff = [
    'diff --git a/src/one.js b/src/one.js',
    'new file mode 100644',
    'index 0000000..75c7de3',
    '--- /dev/null',
    '+++ b/src/one.js',
    '@@ -0,0 +1 @@',
    '+one',
    'diff --git a/old.sql b/old.sql',
    'deleted file mode 100644',
    '--- a/old.sql',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '--- a comment of SQL',
  ];
  expect(texts(`${diff.join('\n')}\n`)).toEqual([
    'src/one.js',
    '@@ -0,0 +1 @@',
    '+one',
    'old.sql',
    '@@ -1 +0,0 @@',
    '--- a comment of SQL',
  ]);
  expect(colorDiff(diff.join('\n')).at(-1)?.at(0)?.styles).toEqual(['red']);
});

test('a new name, an unusual mode and a binary file are shown', () => {
  const told = [
    'similarity index 100%',
    'rename from a b.js',
    'rename to c.js',
    'diff --git a/run.sh b/run.sh',
    'new file mode 100755',
    'Binary files differ',
  ];
  expect(texts(['diff --git a/a b.js b/c.js', ...told].join('\n'))).toEqual([
    'diff --git a/a b.js b/c.js',
    ...told.map((line) => (line.startsWith('diff') ? 'run.sh' : line)),
  ]);
});
