import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { expectShortRun } from './short-run.ts';

function flagsFor(v8 = process.versions.v8): readonly string[] {
  const flags: string[] = [];
  expectShortRun(v8, (flag) => void flags.push(flag));
  return flags;
}

const settings = `
  for (const flag of ${JSON.stringify(flagsFor())}) process.getBuiltinModule('node:v8').setFlagsFromString(flag);
`;

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

test('this V8 keeps its young generation small after the flags that we set', () => {
  expect(youngMiB('')).toBeGreaterThan(8);
  expect(youngMiB(settings)).toBeLessThanOrEqual(4);
});

test('this V8 has all of the flags: it prints nothing', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', settings], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  const unknown = `process.getBuiltinModule('node:v8').setFlagsFromString('--no-such-flag');`;
  expect(spawnSync(process.execPath, ['-e', unknown], { encoding: 'utf8' }).stderr).toContain(
    '--no-such-flag',
  );
});

const matching = `
  const pattern = /a+b|c+d|e+f/;
  for (let use = 0; use < 20; use += 1) pattern.test('aaab' + use);
`;

/** Returns V8's own lines about the patterns that it compiled. */
function compiledPatterns(first: string): string {
  const args = ['--trace-regexp-tier-up', '-e', `${first}${matching}`];
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}

test('this V8 makes no machine code of a pattern that is used twenty times', () => {
  expect(compiledPatterns('')).toContain('needs tier-up compilation');
  expect(compiledPatterns(settings)).not.toContain('needs tier-up compilation');
});

test('a version of V8 that was not tried is left as it is', () => {
  expect(flagsFor('15.1.2')).toEqual([]);
});
