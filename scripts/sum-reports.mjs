// Adds up vitest's JSON reports in a folder: `node scripts/sum-reports.mjs <folder> <failed commands> [<other
// failures>]`. A command that failed with no failed test in any report (lint, types, a crash) counts as one failure, so
// that the sum is never too low. Other failures belong to no command and are added. Each failed test is named above
// the sum with the head of its message, because CI services often keep only the end of a log.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder = '.', failedCommands = '0', otherFailures = '0'] = process.argv.slice(2);
const reports = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));

const MESSAGE_LINES = 6;
for (const report of reports)
  for (const file of report.testResults) for (const text of failuresOf(file)) process.stdout.write(text);

const passed = sum((report) => report.numPassedTests);
const failedTests = sum((report) => report.numFailedTests + brokenFiles(report));
const failed = Math.max(failedTests, Number(failedCommands)) + Number(otherFailures);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function sum(count) {
  return reports.reduce((total, report) => total + count(report), 0);
}

function failuresOf({ name, message, status, assertionResults }) {
  const path = relative(process.cwd(), name);
  if (status === 'failed' && assertionResults.length === 0) return [failure(path, message)];
  return assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => failure(`${path} > ${test.fullName}`, test.failureMessages.join('\n')));
}

function failure(title, message) {
  const lines = message.split('\n').slice(0, MESSAGE_LINES);
  return [`failed: ${title}`, ...lines.map((line) => `  ${line}`), ''].join('\n');
}

/** A test file that could not be loaded has failed without a test. */
function brokenFiles(report) {
  return report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
    .length;
}
