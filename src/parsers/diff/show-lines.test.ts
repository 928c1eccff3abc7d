import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUnifiedDiff } from './parse-diff.ts';
import { changedLinesOf } from './ranges.ts';
import { renderDiffFile } from './render.ts';
import { showLines } from './show-lines.ts';
import type { DiffFile, DiffLine } from './types.ts';

/** A diff of one file with the given lines of context, as git computes it from edits. */
function diffOf(
  edits: readonly (readonly ['keep' | 'add' | 'drop', string])[],
  context: number,
  newline: boolean,
) {
  const kept = edits.map((_, index) =>
    edits.slice(Math.max(0, index - context), index + context + 1).some(([kind]) => kind !== 'keep'),
  );
  let [oldLine, newLine] = [1, 1];
  let hunk: string[] = [];
  let starts: readonly [number, number] = [1, 1];
  const out: string[] = ['--- a/f', '+++ b/f'];
  const flush = (): void => {
    if (hunk.length === 0) return;
    const olds = hunk.filter((line) => !line.startsWith('+') && !line.startsWith('\\')).length;
    const news = hunk.filter((line) => !line.startsWith('-') && !line.startsWith('\\')).length;
    const [oldStart, newStart] = starts;
    out.push(
      `@@ -${olds === 0 ? oldStart - 1 : oldStart},${olds} +${news === 0 ? newStart - 1 : newStart},${news} @@`,
      ...hunk,
    );
    hunk = [];
  };
  const lastNew = edits.findLastIndex(([kind]) => kind !== 'drop');
  const lastOld = edits.findLastIndex(([kind]) => kind !== 'add');
  for (const [index, [kind, text]] of edits.entries()) {
    if (kept[index] !== true) flush();
    else {
      if (hunk.length === 0) starts = [oldLine, newLine];
      hunk.push(`${{ keep: ' ', add: '+', drop: '-' }[kind]}${text}`);
      const isLast =
        (kind === 'add' && index === lastNew) ||
        (kind === 'drop' && index === lastOld) ||
        (kind === 'keep' && index === lastNew && index === lastOld);
      if (!newline && isLast) hunk.push('\\ No newline at end of file');
    }
    if (kind !== 'add') oldLine += 1;
    if (kind !== 'drop') newLine += 1;
  }
  flush();
  const side = (gone: string): string => {
    const lines = edits.filter(([kind]) => kind !== gone).map(([, text]) => text);
    return lines.length === 0 ? '' : lines.join('\n') + (newline ? '\n' : '');
  };
  return { diff: `${out.join('\n')}\n`, before: side('add'), after: side('drop') };
}

/** Applies a diff to the old text, strictly. */
function apply(file: DiffFile, before: string): string {
  const old = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  const result: string[] = [];
  const faults: DiffLine[] = [];
  let at = 0;
  let endsWithNewline = before.endsWith('\n') || before === '';
  for (const { oldStart, oldLines, newStart, newLines, lines } of file.hunks) {
    const start = oldLines === 0 ? oldStart : oldStart - 1;
    while (at < start) result.push(old[at++] ?? 'MISSING');
    expect(newLines === 0 ? newStart : newStart - 1).toBe(result.length);
    for (const line of lines) {
      const isOld = line.kind !== 'added';
      const isNew = line.kind !== 'removed';
      faults.push(...(isOld && (old[at] !== line.text || line.oldLine !== at + 1) ? [line] : []));
      faults.push(...(isNew && line.newLine !== result.length + 1 ? [line] : []));
      if (isNew) {
        result.push(line.text);
        endsWithNewline = !line.noNewline;
      }
      if (isOld) at += 1;
    }
  }
  expect(faults).toEqual([]);
  while (at < old.length) {
    endsWithNewline = before.endsWith('\n');
    result.push(old[at++] ?? '');
  }
  return result.length === 0 ? '' : result.join('\n') + (endsWithNewline ? '\n' : '');
}

const edit = fc.tuple(
  fc.constantFrom('keep' as const, 'keep' as const, 'keep' as const, 'add' as const, 'drop' as const),
  fc.constantFrom('a', '  b', '}', '', 'c() {'),
);

test('for any diff and any lines to show, it turns the old text into the new one and has the same changed lines', () => {
  fc.assert(
    fc.property(
      fc.array(edit, { maxLength: 40 }),
      fc.nat({ max: 3 }),
      fc.boolean(),
      fc.array(fc.tuple(fc.nat({ max: 45 }), fc.nat({ max: 20 })), { maxLength: 4 }),
      (edits, context, newline, wanted) => {
        // Without a newline at the end, both sides end in the same line.
        const { diff, before, after } = diffOf([...edits, ['keep', 'z']], context, newline);
        const [file] = parseUnifiedDiff(diff).files;
        if (file === undefined || file.hunks.length === 0) return;
        const spans = wanted.map(([start, length]) => ({ start, end: start + length }));
        const shown = showLines(file, after, spans);
        expect(apply(shown, before)).toBe(after);
        expect(changedLinesOf([shown])).toEqual(changedLinesOf([file]));
        const read = parseUnifiedDiff(renderDiffFile(shown));
        expect(read.faults).toEqual([]);
        expect(read.files[0]?.hunks).toEqual(shown.hunks);
        const visible = new Set(shown.hunks.flatMap(({ lines }) => lines.map(({ newLine }) => newLine)));
        const count = after === '' ? 0 : after.replace(/\n$/, '').split('\n').length;
        for (const { start, end } of spans)
          for (let line = Math.max(1, start); line <= Math.min(end, count); line += 1)
            expect(visible).toContain(line);
      },
    ),
    { numRuns: 500 },
  );
});

test('a text that is not the new side changes nothing', () => {
  const { diff } = diffOf(
    [
      ['keep', 'a'],
      ['add', 'b'],
    ],
    1,
    true,
  );
  const [file] = parseUnifiedDiff(diff).files;
  if (file === undefined) throw new Error('no file');
  expect(showLines(file, 'other\n', [{ start: 1, end: 9 }])).toBe(file);
});

test('a text that fits only one of the hunks is another text: nothing is shown', () => {
  const diff = '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n@@ -5 +5 @@\n-c\n+d\n';
  const [file] = parseUnifiedDiff(diff).files.slice(0, 1);
  const show = (text: string) => file && showLines(file, text, [{ start: 1, end: 5 }]);
  expect(show('b\n2\n3\n4\nother\n')).toBe(file);
  expect(show('b\n2\n3\n4\nd\n')?.hunks).toHaveLength(1);
});
