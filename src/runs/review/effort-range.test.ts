import { expect, test } from 'vitest';
import { changeOf } from '../../../test/fixtures/review-answers.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { noBrief } from '../../prompts/review/review-request.ts';
import { planChunks } from '../../review/census/chunks.ts';
import { effortLevels } from '../../tags/effort.ts';
import { effortRange } from './effort-range.ts';

const chunks = planChunks(parseUnifiedDiff(changeOf(2)).files, 500);

test('each effort has its range of calls', () => {
  expect(chunks).toHaveLength(2);
  expect(effortLevels.map((effort) => effortRange(effort, noBrief, chunks).calls)).toEqual([
    { least: 2, most: 2 },
    { least: 2, most: 22 },
    { least: 10, most: 32 },
  ]);
});

test('a review costs at least its requests, and more at a higher effort', () => {
  const [quick, standard, deep] = effortLevels.map((effort) => effortRange(effort, noBrief, chunks).tokens);
  expect(quick?.least).toBeGreaterThan(2 * 500);
  expect(standard?.least).toBe(quick?.least);
  expect(deep?.least).toBeGreaterThan(4 * (quick?.least ?? 0));
  expect(deep?.most).toBeGreaterThan(standard?.most ?? 0);
});

test('a change without reviewable lines costs nothing', () => {
  const nothing = { least: 0, most: 0 };
  expect(effortRange('deep', noBrief, [])).toEqual({ calls: nothing, tokens: nothing });
});
