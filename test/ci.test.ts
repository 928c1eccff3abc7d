import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { scratchFolder, scratchRepository } from './fixtures/scratch-repository.ts';
import { reporters } from './setup/reporters.ts';

const repository = join(import.meta.dirname, '..');
const unloadable = {
  status: 'failed',
  name: join(repository, 'test/one.test.ts'),
  message: "Cannot find module './gone.ts'",
  assertionResults: [],
};
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'collab-ci-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the counts of all test runs are added up', () => {
  report('1.json', { numPassedTests: 3, numFailedTests: 0 });
  report('2.json', { numPassedTests: 4, numFailedTests: 0 });
  expect(summed(0)).toEqual({ above: [], line: '7 passed, 0 failed', code: 0 });
});

test('a failed test, a file that could not be loaded and a failed command are failures', () => {
  report('1.json', { numPassedTests: 3, numFailedTests: 1 });
  report('2.json', { numPassedTests: 1, testResults: [unloadable] });
  expect(summed(1)).toMatchObject({ line: '4 passed, 2 failed', code: 1 });
  rmSync(join(folder, '1.json'));
  rmSync(join(folder, '2.json'));
  report('3.json', { numPassedTests: 5, numFailedTests: 0 });
  expect(summed(1)).toEqual({ above: [], line: '5 passed, 1 failed', code: 1 });
});

test('each failed test is named above the sum, with the head of its message', () => {
  const failureMessages = [
    'AssertionError: 1 is not 2\n    at one\n    at two\n    at three\n    at four\n    at five\n',
  ];
  const assertionResults = [
    { status: 'passed', fullName: 'holds', failureMessages: [] },
    { status: 'failed', fullName: 'counts to two', failureMessages },
  ];
  const name = join(repository, 'test/two.test.ts');
  report('1.json', {
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [{ status: 'failed', name, message: '', assertionResults }],
  });
  report('2.json', { testResults: [unloadable] });
  expect(summed(1)).toEqual({
    above: [
      'failed: test/two.test.ts > counts to two',
      '  AssertionError: 1 is not 2',
      ...['one', 'two', 'three', 'four', 'five'].map((place) => `      at ${place}`),
      'failed: test/one.test.ts',
      "  Cannot find module './gone.ts'",
    ],
    line: '1 passed, 2 failed',
    code: 1,
  });
});

test('an error outside of a test is named above the sum, with the file that it came from', () => {
  vi.stubEnv('TEST_REPORT_FOLDER', folder);
  const stray = { message: 'stray', stack: 'Error: stray\n    at timer' };
  const named = { message: 'no more files', VITEST_TEST_PATH: join(repository, 'test/one.test.ts') };
  for (const reporter of reporters())
    if (typeof reporter === 'object' && !Array.isArray(reporter))
      void reporter.onTestRunEnd?.([], [named, stray], 'failed');
  report('1.json', { numPassedTests: 3 });
  expect(summed(1)).toEqual({
    above: [
      'failed: test/one.test.ts',
      '  Unhandled: no more files',
      'failed: no test file',
      '  Unhandled: Error: stray',
      '      at timer',
    ],
    line: '3 passed, 2 failed',
    code: 1,
  });
});

test('a run without a single test does not pass', () => {
  expect(summed(0)).toEqual({ above: [], line: '0 passed, 0 failed', code: 1 });
});

test.runIf(process.platform !== 'win32')(
  'a run that changes the checkout or leaves a file in it fails, and the last line counts it',
  () => {
    expect(gateAfter('mkdir -p ignored; echo fine >ignored/file')).toEqual({
      lines: ['3 passed, 0 failed'],
      code: 0,
    });
    const strays = 'mkdir -p src; echo garbage >src/journal.jsonl; echo more >>.gitignore';
    const dirty = ['failed: the runs left the checkout dirty:', ' M .gitignore', '?? src/journal.jsonl'];
    expect(gateAfter(strays)).toEqual({ lines: [...dirty, '3 passed, 1 failed'], code: 1 });
    expect(gateAfter(`${strays}; exit 1`)).toEqual({
      lines: ['failed: npm run check', ...dirty, '3 passed, 2 failed'],
      code: 1,
    });
  },
);

test('the lock file names every platform package and no download address', () => {
  const text = readFileSync(join(repository, 'package-lock.json'), 'utf8');
  const { packages } = z
    .object({
      packages: z.record(
        z.string(),
        z.looseObject({ optionalDependencies: z.record(z.string(), z.string()).optional() }),
      ),
    })
    .parse(JSON.parse(text));
  const missing = Object.entries(packages).flatMap(([owner, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`node_modules/${name}`] === undefined &&
        packages[`${owner}/node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
  expect(text).not.toContain('"resolved": "http');
});

test('the gate and the workflow run every test suite except the long ones', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')));
  const suites = Object.keys(scripts).filter((name) =>
    /^test:(?!mutants$|breaks$|kills$|fuzz$|chaos$|nodes$)/.test(name),
  );
  expect(suites).toContain('test:browser');
  for (const path of ['.ci/run', '.github/workflows/ci.yml']) {
    const text = readFileSync(join(repository, path), 'utf8');
    expect(suites.filter((name) => !text.includes(name))).toEqual([]);
  }
});

test('without Chromium, one line says what to install', () => {
  const script = join(repository, 'scripts/test-browser.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script], {
    env: { PATH: folder },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^No Chromium is on PATH \(chromium, [^\n]*\): install one, e\.g\. apt-get install chromium\n$/,
  );
});

/** Runs the gate in a repository of its own, where `npm run check` reports three passed tests and then runs `shell`. */
function gateAfter(shell: string): { lines: readonly string[]; code: number | null } {
  const { root, env, write, commit } = scratchRepository();
  for (const path of ['.ci/run', 'scripts/sum-reports.mjs'])
    write(path, readFileSync(join(repository, path), 'utf8'));
  write('.gitignore', 'ignored\n');
  commit('clean');
  const bin = scratchFolder();
  const counts = '{"numPassedTests":3,"numFailedTests":0,"testResults":[]}';
  const check = `echo '${counts}' >"$TEST_REPORT_FOLDER/check.json"; ${shell}`;
  const npm = `#!/bin/sh\nif [ "$*" = "run check" ]; then ${check}; fi\n`;
  for (const name of ['tmux', 'ip', 'initdb']) writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
  const { stdout, status } = spawnSync('bash', [join(root, '.ci/run')], {
    env: { ...env, PATH: `${bin}:${env['PATH']}` },
    encoding: 'utf8',
  });
  return {
    lines: stdout
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('==> ')),
    code: status,
  };
}

function report(name: string, counts: object): void {
  const whole = { numPassedTests: 0, numFailedTests: 0, testResults: [], ...counts };
  writeFileSync(join(folder, name), JSON.stringify(whole));
}

function summed(failedCommands: number): { above: readonly string[]; line?: string; code: number | null } {
  const script = join(repository, 'scripts/sum-reports.mjs');
  const { stdout, status } = spawnSync(process.execPath, [script, folder, String(failedCommands)], {
    cwd: repository,
    encoding: 'utf8',
  });
  const above = stdout.trimEnd().split('\n');
  const line = above.pop();
  return { above, ...(line !== undefined && { line }), code: status };
}
