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
  expect(effortLevels.map((effort) => effortRange(effort, noBrief, chunks, null).calls)).toEqual([
    { least: 2, most: 2 },
    { least: 2, most: 22 },
    { least: 10, most: 32 },
  ]);
});

test('a review costs at least its requests, and more at a higher effort', () => {
  const [quick, standard, deep] = effortLevels.map(
    (effort) => effortRange(effort, noBrief, chunks, null).tokens,
  );
  expect(quick?.least).toBeGreaterThan(2 * 500);
  expect(standard?.least).toBe(quick?.least);
  expect(deep?.least).toBeGreaterThan(4 * (quick?.least ?? 0));
  expect(deep?.most).toBeGreaterThan(standard?.most ?? 0);
});

test('dollars are those of the requests, and at most those of the longest expected answers, too', () => {
  const { tokens, usd, calls } = effortRange('quick', noBrief, chunks, { input: 3, output: 15 });
  expect(usd?.least).toBeCloseTo((tokens.least * 3) / 1e6, 12);
  expect(usd?.most).toBeCloseTo((tokens.least * 3 + calls.most * 4000 * 15) / 1e6, 12);
  expect(effortRange('quick', noBrief, chunks, null).usd).toBeNull();
});

test('a change without reviewable lines costs nothing', () => {
  const nothing = { least: 0, most: 0 };
  expect(effortRange('deep', noBrief, [], { input: 3, output: 15 })).toEqual({
    calls: nothing,
    tokens: nothing,
    usd: nothing,
  });
});
