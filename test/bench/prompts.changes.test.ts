/** The script that measures requests, on the real changes. */
import { expect, test } from 'vitest';
import { measurePrompts, printPrompts } from '../../bench/prompts/measure-prompts.ts';

test('of 20 real changes, 95 % of the changed functions are whole and 60 % of the text before the diff is equal', () => {
  const lines = measurePrompts().trimEnd().split('\n');
  expect(lines.filter((line) => /^\| \d+ \|/.test(line))).toHaveLength(20);
  const [functions = '', equal = ''] = lines.slice(-2);
  expect(
    percentIn(/^changed functions shown whole: \d+ of \d+ \((\d+) %\)/, functions),
  ).toBeGreaterThanOrEqual(95);
  expect(percentIn(/at least (\d+) % between two runs/, equal)).toBeGreaterThanOrEqual(60);
  expect(percentIn(/(\d+) % between two chunks$/, equal)).toBeGreaterThanOrEqual(60);
});

test('it prints the request of one change', () => {
  expect(printPrompts(3)).toContain('## The change under review (data)');
  expect(() => printPrompts(21)).toThrow('--print needs a number from 1 to 20');
});

function percentIn(pattern: RegExp, line: string): number {
  return Number(pattern.exec(line)?.[1]);
}
