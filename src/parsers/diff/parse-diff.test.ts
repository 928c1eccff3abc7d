import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUnifiedDiff } from './parse-diff.ts';
import type { DiffFile } from './types.ts';

const bare: DiffFile = {
  path: 'f',
  oldPath: 'f',
  change: 'modified',
  binary: false,
  oldBlob: null,
  newBlob: null,
  oldMode: null,
  newMode: null,
  hunks: [],
};

/** Headers of every file, without the hunks. */
function headers(text: string): readonly Partial<DiffFile>[] {
  return parseUnifiedDiff(text).files.map(withoutHunks);
}

/** Path, old path and change of every file. */
function names(text: string): readonly string[] {
  return parseUnifiedDiff(text).files.map(({ path, oldPath, change }) => `${change} ${oldPath} → ${path}`);
}

const oneHunk = '@@ -1 +1 @@\n-a\n+b\n';

test('a modified file is read completely, including line numbers', () => {
  const text = [
    'diff --git a/src/a.ts b/src/a.ts',
    'index 1234567..89abcde 100644',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -10,3 +10,4 @@ function total() {',
    ' keep',
    '-old',
    '+new',
    '+more',
    ' end',
    '',
  ].join('\n');
  expect(parseUnifiedDiff(text)).toEqual({
    preamble: [],
    faults: [],
    files: [
      {
        path: 'src/a.ts',
        oldPath: 'src/a.ts',
        change: 'modified',
        binary: false,
        oldBlob: '1234567',
        newBlob: '89abcde',
        oldMode: '100644',
        newMode: '100644',
        hunks: [
          {
            heading: 'function total() {',
            oldStart: 10,
            oldLines: 3,
            newStart: 10,
            newLines: 4,
            lines: [
              { kind: 'context', text: 'keep', oldLine: 10, newLine: 10, noNewline: false },
              { kind: 'removed', text: 'old', oldLine: 11, newLine: null, noNewline: false },
              { kind: 'added', text: 'new', oldLine: null, newLine: 11, noNewline: false },
              { kind: 'added', text: 'more', oldLine: null, newLine: 12, noNewline: false },
              { kind: 'context', text: 'end', oldLine: 12, newLine: 13, noNewline: false },
            ],
          },
        ],
      },
    ],
  });
});

test('added, deleted, mode-only, renamed, copied and empty files have their kind', () => {
  const text = [
    'diff --git a/new.ts b/new.ts\nnew file mode 100644\nindex 0000000..e69de29',
    'diff --git a/gone.ts b/gone.ts\ndeleted file mode 100755\nindex e69de29..0000000',
    'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755',
    'diff --git a/old name.ts b/sub/new.ts\nsimilarity index 100%\nrename from old name.ts\nrename to sub/new.ts',
    'diff --git a/x b/y\ndissimilarity index 5%\ncopy from x\ncopy to y\nindex 1..2 100644',
    'diff --git a/same b/same\nold mode 100644\nnew mode 100755\nindex 1..2\n--- a/same\n+++ b/same\n@@ -1 +1 @@\n-a\n+b',
    '',
  ].join('\n');
  expect(headers(text)).toEqual([
    {
      ...withoutHunks(bare),
      path: 'new.ts',
      oldPath: null,
      change: 'added',
      newMode: '100644',
      oldBlob: '0000000',
      newBlob: 'e69de29',
    },
    {
      ...withoutHunks(bare),
      path: 'gone.ts',
      oldPath: 'gone.ts',
      change: 'deleted',
      oldMode: '100755',
      oldBlob: 'e69de29',
      newBlob: '0000000',
    },
    {
      ...withoutHunks(bare),
      path: 'run.sh',
      oldPath: 'run.sh',
      change: 'mode_changed',
      oldMode: '100644',
      newMode: '100755',
    },
    { ...withoutHunks(bare), path: 'sub/new.ts', oldPath: 'old name.ts', change: 'renamed' },
    {
      ...withoutHunks(bare),
      path: 'y',
      oldPath: 'x',
      change: 'copied',
      oldBlob: '1',
      newBlob: '2',
      oldMode: '100644',
      newMode: '100644',
    },
    {
      ...withoutHunks(bare),
      path: 'same',
      oldPath: 'same',
      change: 'modified',
      oldBlob: '1',
      newBlob: '2',
      oldMode: '100644',
      newMode: '100755',
    },
  ]);
});

test.each([
  ['a/x.ts b/x.ts', 'modified x.ts → x.ts'],
  ['x.ts x.ts', 'modified x.ts → x.ts'],
  ['src/x.ts src/x.ts', 'modified src/x.ts → src/x.ts'],
  ['a/two words.ts b/two words.ts', 'modified two words.ts → two words.ts'],
  ['two words two words', 'modified two words → two words'],
  ['before/x.ts b/x.ts', 'modified x.ts → x.ts'],
  ['before/x y.ts b/x y.ts', 'modified x y.ts → x y.ts'],
  ['i/x.ts w/x.ts', 'modified x.ts → x.ts'],
  ['a/one.ts b/two.ts', 'renamed one.ts → two.ts'],
  ['one.ts two.ts', 'renamed one.ts → two.ts'],
  ['"a/tab\\there.ts" "b/tab\\there.ts"', 'modified tab\there.ts → tab\there.ts'],
  ['"a/\\346\\227\\245.ts" "b/\\346\\227\\245.ts"', 'modified 日.ts → 日.ts'],
  ['"a/\\"q\\\\.ts" "b/\\"q\\\\.ts"', 'modified "q\\.ts → "q\\.ts'],
  ['a/plain.ts "b/tab\\t.ts"', 'renamed plain.ts → tab\t.ts'],
  ['"a/tab\\t.ts" b/plain.ts', 'renamed tab\t.ts → plain.ts'],
])('`diff --git %s` names %s', (rest, expected) => {
  expect(names(`diff --git ${rest}\nBinary files differ in some way differ\n`)).toEqual([expected]);
});

test.each(['x', '"a/x"b/x', 'a/one two b/three four', ' x', 'x '])(
  '`diff --git %s` names nothing and is kept as preamble',
  (rest) => {
    expect(parseUnifiedDiff(`diff --git ${rest}\n`)).toEqual({
      files: [],
      preamble: [`diff --git ${rest}`],
      faults: [],
    });
  },
);

test('a hunk below unreadable paths is a fault', () => {
  expect(parseUnifiedDiff(`mail\ndiff --git x\n${oneHunk}`)).toEqual({
    files: [],
    preamble: ['mail', 'diff --git x'],
    faults: [{ kind: 'damaged', line: 2, message: 'the paths of a file cannot be read' }],
  });
});

test('the lines --- and +++ decide the names in a git section, with and without prefixes', () => {
  expect(names(`diff --git x\n--- a/p q\t\n+++ b/p q\t\n${oneHunk}`)).toEqual(['modified p q → p q']);
  expect(
    names(
      `diff --git src/b/x src/b/x\nnew file mode 100644\n--- /dev/null\n+++ src/b/x\n@@ -0,0 +1 @@\n+b\n`,
    ),
  ).toEqual(['added null → src/b/x']);
  expect(
    names(`diff --git a/x a/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n`),
  ).toEqual(['deleted a/x → a/x']);
  expect(names('diff --git "a/t\\t" "b/t\\t"\n--- "a/t\\t"\n+++ "b/t\\t"\n' + oneHunk)).toEqual([
    'modified t\t → t\t',
  ]);
});

test('plain `diff -u` output needs no git header', () => {
  const stamp = '2024-05-06 07:08:09.123456789 +0200';
  expect(names(`--- old/src/x.c\t${stamp}\n+++ new/src/x.c\t${stamp}\n${oneHunk}`)).toEqual([
    'modified src/x.c → src/x.c',
  ]);
  expect(names(`--- my file.c ${stamp}\n+++ my file.c ${stamp}\n${oneHunk}`)).toEqual([
    'modified my file.c → my file.c',
  ]);
  expect(names(`--- x.c.orig\n+++ x.c\n${oneHunk}`)).toEqual(['renamed x.c.orig → x.c']);
  expect(names(`--- a/one.c\n+++ b/two.c\n${oneHunk}`)).toEqual(['renamed one.c → two.c']);
  expect(names(`--- /dev/null\n+++ b/x.c\n@@ -0,0 +1 @@\n+a\n`)).toEqual(['added null → x.c']);
  expect(names(`--- a/x.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n`)).toEqual(['deleted x.c → x.c']);
});

test('the epoch of `diff -N` marks a missing file if no line of that side exists', () => {
  const epoch = '1970-01-01 00:00:00.000000000 +0000';
  expect(names(`--- a/x.c\t${epoch}\n+++ b/x.c\t2024-01-01 00:00:00\n@@ -0,0 +1 @@\n+a\n`)).toEqual([
    'added null → x.c',
  ]);
  expect(names(`--- a/x.c\t2024-01-01 00:00:00\n+++ b/x.c\t${epoch}\n@@ -1 +0,0 @@\n-a\n`)).toEqual([
    'deleted x.c → x.c',
  ]);
  expect(names(`--- a/x.c\t${epoch}\n+++ b/x.c\t${epoch}\n${oneHunk}`)).toEqual(['modified x.c → x.c']);
});

test('a content line that looks like a header is content', () => {
  const text = [
    'diff --git a/x b/x',
    '--- a/x',
    '+++ b/x',
    '@@ -1,3 +1,3 @@',
    '--- a/y',
    '+++ b/y',
    ' diff --git a/z b/z',
    '-@@ -1 +1 @@',
    '+@@ -9 +9 @@',
    '',
  ].join('\n');
  const { files, faults } = parseUnifiedDiff(text);
  expect(faults).toEqual([]);
  expect(files.map(({ path }) => path)).toEqual(['x']);
  expect(files[0]?.hunks[0]?.lines.map(({ kind, text: content }) => `${kind} ${content}`)).toEqual([
    'removed -- a/y',
    'added ++ b/y',
    'context diff --git a/z b/z',
    'removed @@ -1 +1 @@',
    'added @@ -9 +9 @@',
  ]);
});

test('`No newline` marks belong to the line before, in any language', () => {
  const text = `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ Kein Zeilenumbruch\n`;
  const { files, preamble, faults } = parseUnifiedDiff(text);
  expect({ preamble, faults }).toEqual({ preamble: [], faults: [] });
  expect(files[0]?.hunks[0]?.lines.map(({ noNewline }) => noNewline)).toEqual([true, true]);
});

test('carriage returns stay in content and are removed from headers', () => {
  const text = [
    'diff --git a/x b/x',
    'old mode 100644',
    'new mode 100755',
    '--- a/x',
    '+++ b/x',
    '@@ -1,2 +1,2 @@ head',
    '',
    '-a',
    '+b',
    '',
  ].join('\r\n');
  const [file] = parseUnifiedDiff(text).files;
  expect([file?.path, file?.oldMode, file?.hunks[0]?.heading]).toEqual(['x', '100644', 'head']);
  expect(file?.hunks[0]?.lines.map((line) => line.text)).toEqual(['\r', 'a\r', 'b\r']);
});

test('an empty context line may lack its space', () => {
  const { files, faults } = parseUnifiedDiff('--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n');
  expect(faults).toEqual([]);
  expect(files[0]?.hunks[0]?.lines[1]).toEqual({
    kind: 'context',
    text: '',
    oldLine: 2,
    newLine: 2,
    noNewline: false,
  });
});

test('hunks without context number the side that has lines', () => {
  const { files } = parseUnifiedDiff('--- a/x\n+++ b/x\n@@ -5,0 +6,2 @@\n+a\n+b\n@@ -9 +11,0 @@\n-c\n');
  expect(files[0]?.hunks.map(({ lines }) => lines.map(({ oldLine, newLine }) => [oldLine, newLine]))).toEqual(
    [
      [
        [null, 6],
        [null, 7],
      ],
      [[9, null]],
    ],
  );
});

test('binary files are named, and patches of any form are skipped', () => {
  const text = [
    'diff --git a/a.png b/a.png',
    'index 1111111..2222222 100644',
    'Binary files a/a.png and b/a.png differ',
    'diff --git a/b.bin b/b.bin',
    'new file mode 100644',
    'index 0000000..3333333',
    'GIT binary patch',
    'literal 10',
    'RcmZQzWMT#Y01f~L00000',
    '',
    'delta 4',
    'LcmZQzWMT#Y01f~L',
    '',
    'Binary files old/c.o and new/c.o differ',
    'after',
    '',
  ].join('\n');
  expect(parseUnifiedDiff(text)).toEqual({
    faults: [],
    preamble: ['after'],
    files: [
      {
        ...bare,
        path: 'a.png',
        oldPath: 'a.png',
        binary: true,
        oldBlob: '1111111',
        newBlob: '2222222',
        oldMode: '100644',
        newMode: '100644',
      },
      {
        ...bare,
        path: 'b.bin',
        oldPath: null,
        change: 'added',
        binary: true,
        oldBlob: '0000000',
        newBlob: '3333333',
        newMode: '100644',
      },
      { ...bare, path: 'c.o', oldPath: 'c.o', binary: true },
    ],
  });
});

test('a merge diff is a fault with its path, and its lines are skipped', () => {
  const text = [
    'diff --cc "sp\\tace.ts"',
    'index 1,2..3',
    '--- a/x',
    '+++ b/x',
    '@@@ -1,2 -1,2 +1,3 @@@',
    '  keep',
    '- one',
    ' -two',
    '++three',
    'diff --combined next.ts',
    'index 1,2..3',
    'commit text',
    '',
  ].join('\n');
  expect(parseUnifiedDiff(text)).toEqual({
    faults: [
      { kind: 'merge', line: 1, message: 'sp\tace.ts is compared with both sides of a merge' },
      { kind: 'merge', line: 10, message: 'next.ts is compared with both sides of a merge' },
    ],
    preamble: ['commit text'],
    files: [],
  });
});

test('a file that occurs twice in a series of commits is a fault; one that becomes a link is not', () => {
  const once = `--- a/x\n+++ b/x\n${oneHunk}`;
  const { files, faults } = parseUnifiedDiff(`commit 1\n${once}commit 2\n${once}`);
  expect(files).toHaveLength(2);
  expect(faults).toEqual([{ kind: 'repeated', line: 8, message: 'x is in it twice' }]);
  const link = [
    'diff --git a/x b/x',
    'deleted file mode 100644',
    '--- a/x',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-text',
    'diff --git a/x b/x',
    'new file mode 120000',
    '--- /dev/null',
    '+++ b/x',
    '@@ -0,0 +1 @@',
    '+target',
    '\\ No newline at end of file',
    '',
  ].join('\n');
  expect(parseUnifiedDiff(link).faults).toEqual([]);
});

test('`Only in` from comparing folders is a fault: the file’s text is missing', () => {
  const text = `Only in new: a.ts\ndiff -ru old/x new/x\n--- old/x\n+++ new/x\n${oneHunk}Only in old/s: b.ts\n`;
  expect(parseUnifiedDiff(text).faults).toEqual([
    { kind: 'text_missing', line: 1, message: 'Only in new: a.ts' },
    { kind: 'text_missing', line: 8, message: 'Only in old/s: b.ts' },
  ]);
  const mail = `Only in this mail: nothing\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n${oneHunk}`;
  expect(parseUnifiedDiff(mail).faults).toEqual([]);
});

test('Subversion: files are recognized by their Index line, missing sides by the wording', () => {
  const rule = '='.repeat(67);
  const text = [
    'Index: a.ts',
    rule,
    '--- a.ts\t(revision 3)',
    '+++ a.ts\t(working copy)',
    '@@ -1 +1 @@',
    '-a',
    '+b',
    '',
    'Property changes on: a.ts',
    '_'.repeat(67),
    'Added: svn:executable',
    '## -0,0 +1 ##',
    '+*',
    '\\ No newline at end of property',
    'Index: new.ts',
    rule,
    '--- new.ts\t(nonexistent)',
    '+++ new.ts\t(working copy)',
    '@@ -0,0 +1 @@',
    '+x',
    'Index: empty.ts',
    rule,
    'Index: logo.png',
    rule,
    'Cannot display: file marked as a binary type.',
    'svn:mime-type = application/octet-stream',
    'Index: of a book',
    '',
  ].join('\n');
  const { files, faults } = parseUnifiedDiff(text);
  expect(faults).toEqual([]);
  expect(files.map(({ path, change, binary, hunks }) => [path, change, binary, hunks.length])).toEqual([
    ['a.ts', 'modified', false, 1],
    ['new.ts', 'added', false, 1],
    ['empty.ts', 'modified', false, 0],
    ['logo.png', 'modified', true, 0],
  ]);
});

test('the long form of a submodule change is a file of mode 160000', () => {
  const text =
    'Submodule lib/sub 1234567..89abcde (rewind):\n  > fix\nSubmodule two contains modified content\n';
  expect(parseUnifiedDiff(text)).toEqual({
    faults: [],
    preamble: ['  > fix'],
    files: [
      {
        ...bare,
        path: 'lib/sub',
        oldPath: 'lib/sub',
        oldBlob: '1234567',
        newBlob: '89abcde',
        oldMode: '160000',
        newMode: '160000',
      },
      { ...bare, path: 'two', oldPath: 'two', oldMode: '160000', newMode: '160000' },
    ],
  });
});

test('a mail patch keeps its text as preamble, including its signature', () => {
  const text = `From 123 Mon Sep 17\nSubject: fix\n\n---\n x | 2 +-\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n${oneHunk}-- \n2.39.5\n\n`;
  const { files, preamble, faults } = parseUnifiedDiff(text);
  expect(faults).toEqual([]);
  expect(files.map(({ path }) => path)).toEqual(['x']);
  expect(preamble).toEqual([
    'From 123 Mon Sep 17',
    'Subject: fix',
    '',
    '---',
    ' x | 2 +-',
    '',
    '-- ',
    '2.39.5',
    '',
  ]);
});

test('prose with dashes is not a file', () => {
  const text = '--- not a diff\nnothing\n--- a\n+++ b\nno hunk\n--- c\n--- d';
  expect(parseUnifiedDiff(text)).toEqual({ files: [], preamble: text.split('\n'), faults: [] });
});

test.each([
  [
    '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n',
    { line: 3, message: 'a hunk ends before the count of its @@ line' },
  ],
  [
    '--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\nrubbish\n',
    { line: 3, message: 'a hunk ends before the count of its @@ line' },
  ],
  [
    '--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n-b\n',
    { line: 3, message: 'a hunk ends before the count of its @@ line' },
  ],
  [
    '--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n+a\n+b\n',
    { line: 3, message: 'a hunk ends before the count of its @@ line' },
  ],
  [
    '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n',
    { line: 6, message: 'a hunk is longer than the count in its @@ line' },
  ],
  [
    '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ nonsense\n',
    { line: 6, message: 'a hunk is longer than the count in its @@ line' },
  ],
  ['text\n@@ -1 +1 @@\n-a\n+b\n', { line: 2, message: 'a hunk belongs to no file' }],
  ['diff --git a/x b/x\n--- a/x\n+++ b/x\n', { line: 1, message: 'a file has no hunk' }],
])('damage is a fault with its line: %j', (text, fault) => {
  expect(parseUnifiedDiff(text).faults[0]).toEqual({ kind: 'damaged', ...fault });
});

test('a cut hunk keeps and counts the lines it has', () => {
  const { files } = parseUnifiedDiff('--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n-b\n');
  expect(files[0]?.hunks.map(({ oldLines, newLines, lines }) => [oldLines, newLines, lines.length])).toEqual([
    [2, 1, 2],
  ]);
});

test('any text gives a value, and every line of text without a diff is kept', () => {
  const pieces = fc.constantFrom(
    'diff --git a/x b/x\n',
    'diff --git ',
    '--- a/x\n',
    '+++ b/x\n',
    '@@ -1,2 +1,2 @@\n',
    '@@ -0,0 +1 @@',
    '-a\n',
    '+b\n',
    ' c\n',
    '\\ No newline\n',
    'rename from x\n',
    'GIT binary patch\n',
    'literal 3\n',
    'diff --cc x\n',
    '"',
    '\\',
    '\r\n',
    '\n',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 30 }), (parts) => {
      const { files } = parseUnifiedDiff(parts.join(''));
      for (const hunk of files.flatMap(({ hunks }) => hunks)) {
        expect(hunk.oldLines).toBe(hunk.lines.filter(({ oldLine }) => oldLine !== null).length);
        expect(hunk.newLines).toBe(hunk.lines.filter(({ newLine }) => newLine !== null).length);
      }
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z ]{0,20}$/u)), (lines) => {
      const { preamble, files } = parseUnifiedDiff(lines.map((line) => `${line}\n`).join(''));
      expect({ preamble, files }).toEqual({ preamble: lines, files: [] });
    }),
  );
});

test('an empty text has neither files nor preamble', () => {
  expect(parseUnifiedDiff('')).toEqual({ files: [], preamble: [], faults: [] });
});

test('a large diff is read in time proportional to its size', () => {
  const body = `${' context line of usual length\n'.repeat(40)}-old\n+new\n`;
  const file = (index: number) =>
    `diff --git a/dir/file-${index}.ts b/dir/file-${index}.ts\nindex 1..2 100644\n--- a/dir/file-${index}.ts\n+++ b/dir/file-${index}.ts\n@@ -1,41 +1,41 @@\n${body}`;
  const text = Array.from({ length: 3000 }, (_, index) => file(index)).join('');
  const { files, faults } = parseUnifiedDiff(text);
  expect([files.length, faults.length, files[2999]?.path]).toEqual([3000, 0, 'dir/file-2999.ts']);
});

test('one long line takes time proportional to its length', () => {
  const texts = [
    `diff --git ${many('a b ')}`,
    `diff --git "${many('\\1')}`,
    `--- a${many(' ')}x\n+++ b${many(' ')}x\n@@ -1 +1 @@\n`,
    `Binary files ${many(' and ')}`,
    `Submodule ${many(' 1234567..')}`,
  ];
  expect(texts.map((text) => parseUnifiedDiff(text).files.length)).toEqual([0, 0, 1, 0, 0]);
});

function many(part: string): string {
  return part.repeat(200_000);
}

function withoutHunks(file: DiffFile): Partial<DiffFile> {
  return Object.fromEntries(Object.entries(file).filter(([key]) => key !== 'hunks'));
}

test('two sides after a binary notice start another file', () => {
  const text = [
    'diff --git a/one.png b/one.png',
    'index 1111111..2222222 100644',
    'Binary files a/one.png and b/one.png differ',
    '--- a/two.txt',
    '+++ b/two.txt',
    '@@ -1 +1 @@',
    '-a',
    '+b',
    '',
  ].join('\n');
  const { files, faults } = parseUnifiedDiff(text);
  expect(files.map(({ path, binary, hunks }) => [path, binary, hunks.length])).toEqual([
    ['one.png', true, 0],
    ['two.txt', false, 1],
  ]);
  expect(faults).toEqual([]);
});
