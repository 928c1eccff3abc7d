import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';

type Reporters = ('default' | ['json', { outputFile: string }] | Reporter)[];

/** `.ci/run` sets TEST_REPORT_FOLDER and adds up the counts of every run that left a report there. */
export function reporters(): Reporters {
  const folder = process.env['TEST_REPORT_FOLDER'];
  if (folder === undefined) return ['default'];
  const report = (name: string) => join(folder, `${process.pid}${name}.json`);
  return ['default', ['json', { outputFile: report('') }], unhandledErrors(report('-unhandled'))];
}

/** An error outside of a test fails the run, and vitest's own report does not hold it: one entry for each. */
function unhandledErrors(file: string): Reporter {
  return {
    onTestRunEnd(_modules, errors) {
      if (errors.length === 0) return;
      const testResults = errors.map(({ message, stack = message, VITEST_TEST_PATH: path }) => ({
        name: typeof path === 'string' ? path : join(process.cwd(), 'no test file'),
        status: 'failed',
        message: `Unhandled: ${stack}`,
        assertionResults: [],
      }));
      writeFileSync(file, JSON.stringify({ numPassedTests: 0, numFailedTests: 0, testResults }));
    },
  };
}
