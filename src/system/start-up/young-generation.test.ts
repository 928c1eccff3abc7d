import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { keepYoungGenerationSmall } from './young-generation.ts';

const allocating = `
  let kept = [];
  for (let index = 0; index < 1e6; index += 1) {
    kept.push({ index });
    if (kept.length > 1e5) kept = [];
  }
  const { getHeapSpaceStatistics } = process.getBuiltinModule('node:v8');
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  process.stdout.write(String(young.space_size / 2 ** 20));
`;

/** Returns the size of the young generation, in MiB, after a program has made many objects. */
function youngMiB(first: string): number {
  return Number(execFileSync(process.execPath, ['-e', `${first}${allocating}`], { encoding: 'utf8' }));
}

test('this V8 keeps its young generation small after the flag that we set', () => {
  const flags: string[] = [];
  keepYoungGenerationSmall(process.versions.v8, (flag) => void flags.push(flag));
  expect(flags).toHaveLength(1);
  const set = `process.getBuiltinModule('node:v8').setFlagsFromString(${JSON.stringify(flags[0])});`;
  expect(youngMiB('')).toBeGreaterThan(8);
  expect(youngMiB(set)).toBeLessThanOrEqual(4);
});

test('a version of V8 that was not tried is left as it is', () => {
  const flags: string[] = [];
  keepYoungGenerationSmall('15.1.2', (flag) => void flags.push(flag));
  expect(flags).toEqual([]);
});
