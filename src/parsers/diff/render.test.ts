import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../test/setup/draws.ts';
import { parseUnifiedDiff } from './parse-diff.ts';
import { renderDiffFile } from './render.ts';
import type { DiffFile, DiffLine, Hunk } from './types.ts';

const bare: DiffFile = {
  path: 'src/a.ts',
  oldPath: 'src/a.ts',
  change: 'modified',
  binary: false,
  oldBlob: null,
  newBlob: null,
  oldMode: null,
  newMode: null,
  hunks: [],
};

test('a git section is rendered byte for byte', () => {
  const text = [
    'diff --git a/old name.ts b/new.ts',
    'old mode 100644',
    'new mode 100755',
    'rename from old name.ts',
    'rename to new.ts',
    'index 1234567..89abcde',
    '--- a/old name.ts\t',
    '+++ b/new.ts',
    '@@ -1,2 +1 @@ heading',
    ' keep\r',
    '-gone',
    '\\ No newline at end of file',
    '@@ -9,0 +9,2 @@',
    '+a',
    '+b',
    '',
  ].join('\n');
  expect(parseUnifiedDiff(text).files.map(renderDiffFile)).toEqual([text]);
});

test('files without hunks are rendered as their header only', () => {
  expect(renderDiffFile({ ...bare, change: 'mode_changed', oldMode: '100644', newMode: '100755' })).toBe(
    'diff --git a/src/a.ts b/src/a.ts\nold mode 100644\nnew mode 100755\n',
  );
  expect(
    renderDiffFile({ ...bare, path: 't\t', oldPath: null, change: 'added', newMode: '100644', binary: true }),
  ).toBe('diff --git "a/t\\t" "b/t\\t"\nnew file mode 100644\nBinary files /dev/null and "b/t\\t" differ\n');
  expect(renderDiffFile({ ...bare, change: 'deleted', oldMode: '100644', oldBlob: 'a', newBlob: '0' })).toBe(
    'diff --git a/src/a.ts b/src/a.ts\ndeleted file mode 100644\nindex a..0\n',
  );
});

const path = fc.stringMatching(/^[a-z\t"\\ 日/]{0,8}[a-z]$/u).filter((name) => !/^[ /]|\/$/u.test(name));
const mode = fc.constantFrom('100644', '100755', '120000');
const blob = fc.stringMatching(/^[0-9a-f]{7}$/u);
const lineText = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\n', ''));
const content = fc.oneof(
  lineText,
  fc.constantFrom('-- a/x', '++ b/x', 'diff --git a/x b/x', '@@ -1 +1 @@', '\\ No newline', '\r'),
);

const hunk = fc
  .record({
    heading: fc.stringMatching(/^(?:[a-z(][a-z (]{0,9})?$/u),
    oldStart: fc.integer({ min: 1, max: 9000 }),
    newStart: fc.integer({ min: 1, max: 9000 }),
    lines: fc.array(
      fc.record({
        kind: fc.constantFrom('added' as const, 'removed' as const, 'context' as const),
        text: content,
        noNewline: fc.boolean(),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ heading, oldStart, newStart, lines }): Hunk => {
    const counted = number(lines, oldStart, newStart);
    const oldLines = counted.filter(({ oldLine }) => oldLine !== null).length;
    const newLines = counted.filter(({ newLine }) => newLine !== null).length;
    return {
      heading,
      oldStart: oldLines === 0 ? oldStart - 1 : oldStart,
      oldLines,
      newStart: newLines === 0 ? newStart - 1 : newStart,
      newLines,
      lines: counted,
    };
  });

function number(
  lines: readonly Pick<DiffLine, 'kind' | 'text' | 'noNewline'>[],
  oldStart: number,
  newStart: number,
): readonly DiffLine[] {
  let [oldNext, newNext] = [oldStart, newStart];
  return lines.map((line) => ({
    kind: line.kind,
    text: line.text,
    oldLine: line.kind === 'added' ? null : oldNext++,
    newLine: line.kind === 'removed' ? null : newNext++,
    noNewline: line.noNewline,
  }));
}

const hunks = fc.array(hunk, { maxLength: 3 });
const ids = fc.record({ oldBlob: blob, newBlob: blob });
const modified = fc
  .record({ path, ids, oldMode: mode, newMode: mode, hunks, binary: fc.boolean() })
  .map((file): DiffFile => {
    const body = file.binary ? [] : file.hunks;
    const onlyMode = !file.binary && body.length === 0 && file.oldMode !== file.newMode;
    return {
      ...file.ids,
      path: file.path,
      oldPath: file.path,
      change: onlyMode ? 'mode_changed' : 'modified',
      binary: file.binary,
      oldMode: file.oldMode,
      newMode: file.newMode,
      hunks: body,
    };
  });
const added = fc
  .record({ path, ids, newMode: mode, hunks })
  .map(({ ids: { oldBlob, newBlob }, ...file }): DiffFile => ({
    ...bare,
    ...file,
    oldBlob,
    newBlob,
    oldPath: null,
    change: 'added',
  }));
const deleted = fc
  .record({ path, oldMode: mode, hunks })
  .map((file): DiffFile => ({ ...bare, ...file, oldPath: file.path, change: 'deleted' }));
const moved = fc
  .record({ path, oldPath: path, change: fc.constantFrom('renamed' as const, 'copied' as const), hunks })
  .filter((file) => file.path !== file.oldPath)
  .map((file): DiffFile => ({ ...bare, ...file }));

/** No path occurs twice in one change. */
const drawnFiles = fc.uniqueArray(fc.oneof(modified, added, deleted, moved), {
  maxLength: 4,
  selector: (file) => file.path,
});

test('parse(render(files)) equals files', () => {
  fc.assert(
    fc.property(drawnFiles, (files) => {
      expect(parseUnifiedDiff(files.map(renderDiffFile).join(''))).toEqual({
        files,
        preamble: [],
        faults: [],
      });
    }),
    draws(300),
  );
});
