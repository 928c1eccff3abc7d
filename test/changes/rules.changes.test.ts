import { expect, test } from 'vitest';
import { parseUnifiedDiff } from '../../src/parsers/diff/parse-diff.ts';
import { scanChange } from '../../src/providers/static_review/scan-change.ts';
import { maskSecrets } from '../../src/secrets/mask-secrets.ts';
import { releaseDifferences } from './differences.ts';

const differences = [...releaseDifferences()].map(({ name, diff }) => ({ name, diff }));

test('no rule of the default set reports a Critical finding in the real changes', async () => {
  const found = await Promise.all(
    differences.map(async ({ name, diff }) =>
      (await scanChange(parseUnifiedDiff(diff).files, new AbortController().signal))
        .filter(({ rule }) => rule.severity === 'critical')
        .map(({ rule, path, startLine, quote }) => `${name}: ${rule.name} ${path}:${startLine} ${quote[0]}`),
    ),
  );
  expect(differences.length).toBeGreaterThan(80);
  expect(found.flat()).toEqual([]);
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
