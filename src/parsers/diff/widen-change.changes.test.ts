/** The share of changed functions that a request shows whole, on real changes. */
import { expect, test } from 'vitest';
import { countWhole, functionJudges } from '../../../test/changes/changed-functions.ts';
import { releaseDifferences, type Difference } from '../../../test/changes/differences.ts';
import { parseUnifiedDiff } from './parse-diff.ts';
import { changedLinesOf } from './ranges.ts';
import { renderDiffFile } from './render.ts';
import { widenChange } from './widen-change.ts';

const changes = [...releaseDifferences()];

test.each(Object.keys(functionJudges))(
  'at least 95 of 100 changed functions of %s are shown whole',
  (language) => {
    const { shown, all, missing } = measure(changes.filter((change) => change.language === language));
    expect(all).toBeGreaterThanOrEqual(15);
    // Fails with the list of those that are not.
    expect(shown / all >= 0.95 ? [] : missing).toEqual([]);
  },
);

test('of all changes with a judge, at least 95 of 100 changed functions are shown whole', () => {
  const judged = changes.filter(({ language }) => Object.hasOwn(functionJudges, language));
  expect(judged.length).toBeGreaterThanOrEqual(20);
  const { shown, all } = measure(judged);
  expect(shown / all).toBeGreaterThanOrEqual(0.95);
});

test('git alone shows fewer of them whole, so the judges do not call everything whole', () => {
  const { shown, all } = measure(changes, 'diff');
  expect(shown / all).toBeLessThan(0.7);
});

test('every widened change has the same changed lines and is a valid diff', () => {
  for (const { name, diff, after } of changes) {
    const { files } = parseUnifiedDiff(diff);
    const wide = widenChange(files, ({ path }) => after(path), 'files').files;
    expect([name, changedLinesOf(wide)]).toEqual([name, changedLinesOf(files)]);
    expect([name, parseUnifiedDiff(wide.map(renderDiffFile).join('')).faults]).toEqual([name, []]);
  }
});

test('the context of a change costs at most its budget', () => {
  const sizes = changes.map(({ diff, after }) => {
    const { files } = parseUnifiedDiff(diff);
    const { costs } = widenChange(files, ({ path }) => after(path), 'files');
    return { ...costs, bytes: Buffer.byteLength(diff) };
  });
  for (const { bytes, functions, files } of sizes) {
    expect(functions).toBeLessThanOrEqual(files);
    expect(files).toBeLessThanOrEqual(Math.max(bytes, 50 * 1024) * 1.1);
  }
});

function measure(differences: readonly Difference[], level: 'diff' | 'functions' = 'functions') {
  const counts = differences.flatMap((difference) => countWhole(difference, level) ?? []);
  return {
    shown: counts.reduce((sum, { shown }) => sum + shown, 0),
    all: counts.reduce((sum, { all }) => sum + all, 0),
    missing: counts.flatMap(({ missing }) => missing),
  };
}
