import { expect, test } from 'vitest';
import { languageOf } from '../../src/parsers/languages/language.ts';
import { maskSecrets } from '../../src/secrets/mask-secrets.ts';
import { findingsOn, readableChanges } from './found-on-changes.ts';
import { readJudgments } from './judged-findings.ts';
import { releaseDifferences } from './differences.ts';

const differences = [...releaseDifferences()].map(({ name, diff }) => ({ name, diff }));

test('the rules read at least 100 real changes in at least six languages', () => {
  const changes = [...readableChanges()];
  expect(changes.length).toBeGreaterThanOrEqual(100);
  const languages = changes.flatMap(({ files }) => files.map(({ path }) => languageOf(path)));
  expect(new Set(languages).size).toBeGreaterThanOrEqual(6);
});

test('every finding of a rule on the real changes is judged, and every judgment is about one', async () => {
  const found = new Map<string, string>();
  for (const change of readableChanges())
    for (const { rule, place, where } of await findingsOn(change)) found.set(`${rule} ${place}`, where);
  const judged = new Set(readJudgments().map(({ rule, place }) => `${rule} ${place}`));
  // Look at each, then add it to judged-findings.json with the reason.
  expect([...found].filter(([key]) => !judged.has(key))).toEqual([]);
  expect([...judged].filter((key) => !found.has(key))).toEqual([]);
});

test('of 1,000 random lines of the real changes at most two are masked', async () => {
  const lines = differences.flatMap(({ diff }) =>
    diff.split('\n').filter((line) => /^[+-](?![+-]{2})/.test(line)),
  );
  const drawn = draw(lines, 1000, 20_261_122);
  const masked = await Promise.all(drawn.map(async (line) => [line, maskSecrets(line).text] as const));
  expect(drawn).toHaveLength(1000);
  expect(masked.filter(([line, text]) => line !== text).length).toBeLessThanOrEqual(2);
});

/** The same lines for the same seed; none twice. */
function draw(lines: readonly string[], count: number, seed: number): readonly string[] {
  let state = seed;
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, lines.length)) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    chosen.add(Math.floor((state / 2 ** 32) * lines.length));
  }
  return [...chosen].map((index) => lines[index] ?? '');
}
