import { expect, test } from 'vitest';
import { parseUnifiedDiff } from './parse-diff.ts';
import { changedLinesOf } from './ranges.ts';
import { widenChange, type ContextLevel } from './widen-change.ts';

/** A file of functions with that many lines each; the named ones are changed, as git shows it with one line of context. */
function changed(path: string, lengths: readonly number[], which: readonly number[]) {
  const text: string[] = [];
  const hunks: string[] = [];
  for (const [index, length] of lengths.entries()) {
    const body = Array.from({ length: length - 2 }, (_, line) => `  step${line}(${index});`);
    const middle = text.length + 1 + Math.floor(length / 2);
    text.push(`function f${index}() {`, ...body, '}', '');
    if (!which.includes(index)) continue;
    const [above, line, below] = text.slice(middle - 2, middle + 1);
    hunks.push(`@@ -${middle - 1},3 +${middle - 1},3 @@\n ${above}\n-old\n+${line}\n ${below}\n`);
  }
  return { path, text: `${text.join('\n')}\n`, diff: `--- a/${path}\n+++ b/${path}\n${hunks.join('')}` };
}

function widen(files: readonly ReturnType<typeof changed>[], level: ContextLevel) {
  const parsed = parseUnifiedDiff(files.map(({ diff }) => diff).join('')).files;
  const textOf = ({ path }: { readonly path: string }) =>
    files.find((file) => file.path === path)?.text ?? null;
  const wide = widenChange(parsed, textOf, level);
  expect(changedLinesOf(wide.files)).toEqual(changedLinesOf(parsed));
  const shown = wide.files.map(({ hunks }) =>
    hunks.map(({ newStart, newLines }) => [newStart, newStart + newLines - 1]),
  );
  return { shown, costs: wide.costs };
}

const large = changed('a.ts', [20, 300, 30], [0]);

test('each level shows more: git, the function, the small file', () => {
  const small = changed('b.ts', [10, 10], [1]);
  expect(widen([large, small], 'diff').shown).toEqual([[[10, 12]], [[16, 18]]]);
  expect(widen([large, small], 'functions').shown).toEqual([[[1, 20]], [[12, 21]]]);
  expect(widen([large, small], 'files').shown).toEqual([[[1, 353]], [[1, 22]]]);
});

test('every level has the same costs, which grow from level to level', () => {
  const all = (['diff', 'functions', 'files'] as const).map((level) => widen([large], level).costs);
  expect(all[1]).toEqual(all[0]);
  expect(all[2]).toEqual(all[0]);
  const [costs] = all;
  expect(costs?.diff).toBe(0);
  expect(costs?.functions).toBeGreaterThan(100);
  expect(costs?.files).toBeGreaterThan(costs?.functions ?? Infinity);
});

test('a function of more than 400 lines stays as git shows it', () => {
  expect(widen([changed('a.ts', [401, 20], [0])], 'functions').shown).toEqual([[[200, 202]]]);
  expect(widen([changed('a.ts', [400, 20], [0])], 'functions').shown).toEqual([[[1, 400]]]);
});

test('if the budget is too small, the cheapest functions are whole', () => {
  const files = Array.from({ length: 30 }, (_, index) => changed(`${index}.ts`, [390 - index * 10], [0]));
  const { shown, costs } = widen(files, 'functions');
  const isWhole = shown.map(([first]) => first?.[0] === 1);
  expect(isWhole).toEqual(isWhole.toSorted((one, other) => Number(one) - Number(other)));
  expect(new Set(isWhole).size).toBe(2);
  expect(costs.functions).toBeLessThanOrEqual(48 * 1024);
});

test('a file whose text is unknown or another one stays as git shows it', () => {
  const parsed = parseUnifiedDiff(large.diff).files;
  for (const text of [null, 'another text\n'])
    expect(widenChange(parsed, () => text, 'files').files).toEqual(parsed);
});

test('lines that are only removed show the function that they were in, not its neighbors', () => {
  const text = 'function a() {\n  1;\n  2;\n}\n\nfunction b() {\n  3;\n}\n';
  const inside = '--- a/f\n+++ b/f\n@@ -3 +2,0 @@\n-  gone;\n';
  const between = '--- a/f\n+++ b/f\n@@ -5,3 +4,0 @@\n-function gone() {\n-  4;\n-}\n';
  const shown = (diff: string) =>
    widenChange(parseUnifiedDiff(diff).files, () => text, 'functions').files[0]?.hunks.map(
      ({ newStart, newLines }) => [newStart, newLines],
    );
  expect(shown(inside)).toEqual([[1, 4]]);
  expect(shown(between)).toEqual([[4, 0]]);
});
