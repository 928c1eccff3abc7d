// Adds up vitest's JSON reports in a folder: `node scripts/sum-reports.mjs <folder> <failed commands> [<other
// failures>]`. A command that failed with no failed test in any report (lint, types, a crash) counts as one failure, so
// that the sum is never too low. Other failures belong to no command and are added.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '.', failedCommands = '0', otherFailures = '0'] = process.argv.slice(2);
const reports = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));

const passed = sum((report) => report.numPassedTests);
const failedTests = sum((report) => report.numFailedTests + brokenFiles(report));
const failed = Math.max(failedTests, Number(failedCommands)) + Number(otherFailures);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function sum(count) {
  return reports.reduce((total, report) => total + count(report), 0);
}

/** A test file that could not be loaded has failed without a test. */
function brokenFiles(report) {
  return report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
    .length;
}
