import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const programOf = (name: string): string => join(import.meta.dirname, `../../bench/${name}.mjs`);
const program = programOf('runs');

test('the benchmark of lists prints its flags', () => {
  const usage = execFileSync(process.execPath, [program, '--help'], { encoding: 'utf8' });
  expect(usage).toMatch(/^node bench\/runs\.mjs \[--listed .*\[--runs .*\n$/);
});

test('the benchmark of workers prints its flags', () => {
  const usage = execFileSync(process.execPath, [programOf('workers'), '--help'], { encoding: 'utf8' });
  expect(usage).toMatch(/^node bench\/workers\.mjs \[--runs .*\[--call-ms .*\[--readers .*\[--servers .*\n$/);
});

test.each([['--listed', 'many'], ['--runs', '0'], ['--runs']])(
  'it refuses %s %s before it writes a run',
  (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${args[0]} needs a number of 1 or more`);
  },
);
