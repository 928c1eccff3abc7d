// Reviews the change that the event names, and reports the outcome: by exit code, outputs, summary and reports.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findRange, isFromFork } from './range.mjs';
import { addSummary, annotate, Refusal, runStep, setOutput, withoutCommands } from './runner.mjs';

const extensions = { json: 'json', markdown: 'md', sarif: 'sarif', rdjson: 'rdjson', gitlab: 'gitlab.json' };
/** collab's exit code when nothing was reviewed. */
const failed = 4;

await runStep(async () => {
  const inputs = readInputs();
  const range = findRange(inputs);
  const reports = mkdtempSync(join(process.env['RUNNER_TEMP'], 'collab-review-'));
  setOutput('reports', reports);
  const code = await withoutCommands(() => review(inputs, range, reports));
  const result = readResult(join(reports, 'review.json'));
  setOutput('outcome', result?.outcome ?? 'none');
  setOutput('exit-code', code);
  if (result !== null) setOutput('result', join(reports, 'review.json'));
  return conclude({ ...inputs, code, result, reports });
});

function readInputs() {
  const {
    INPUT_WORKING_DIRECTORY: folder = '',
    INPUT_NOT_REVIEWED: notReviewed = '',
    INPUT_ARGS: args = '',
  } = process.env;
  if (!['fail', 'warn'].includes(notReviewed)) {
    throw new Refusal(`not-reviewed takes fail or warn, not "${notReviewed}"`);
  }
  return {
    folder: resolve(process.env['GITHUB_WORKSPACE'], folder),
    base: process.env['INPUT_BASE'] ?? '',
    token: process.env['INPUT_GITHUB_TOKEN'] ?? '',
    advisor: advisorOf(process.env['INPUT_ADVISOR'] ?? '', process.env['INPUT_MODEL'] ?? ''),
    failOn: process.env['INPUT_FAIL_ON'] ?? '',
    configFrom: process.env['INPUT_CONFIG_FROM'] ?? '',
    formats: new Set(['json', 'markdown', ...words(process.env['INPUT_FORMATS'] ?? '')]),
    args: args
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    notReviewed,
  };
}

function advisorOf(advisor, model) {
  if (model === '') return advisor;
  if (!['', 'auto'].includes(advisor) && !advisor.includes(':')) return `${advisor}:${model}`;
  throw new Refusal(`model needs a named advisor, for example advisor: codex, not "${advisor}"`);
}

function words(text) {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function review({ folder, advisor, failOn, configFrom, formats, args }, { base, head }, reports) {
  const files = [...formats].flatMap((format) => [
    '--report',
    `${format}=${join(reports, `review.${extensions[format] ?? `${format}.txt`}`)}`,
  ]);
  const wished = { '--advisor': advisor, '--fail-on': failOn, '--config-from': configFrom };
  const flags = Object.entries(wished).flatMap(([flag, value]) => (value === '' ? [] : [flag, value]));
  return runCollab(['review', `${base}...${head}`, ...flags, ...files, ...args], folder);
}

/**
 * @returns its exit code; 143 if a signal ended it. Both of its streams are sent to standard output; see
 * `withoutCommands`.
 */
function runCollab(args, folder) {
  const child = spawn(process.execPath, [process.env['COLLAB_COMMAND'], ...args], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 1, 1],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((done, refuse) => {
    child.on('error', refuse);
    child.on('exit', (code) => done(code ?? 143));
  });
}

/**
 * Keeps a run outside the checkout: the change under review could contain a `.collab` of its own. Removes the token and
 * the runner's variables for actions, which a review must not see; a run must not detach itself, because no process would
 * wait for it.
 */
function environment() {
  const ours = /^(?:INPUT_.*|ACTIONS_.*|GITHUB_TOKEN|GH_TOKEN|CLAUDECODE)$/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  const key = process.env['INPUT_CODEX_API_KEY'] ?? '';
  return {
    COLLAB_HOME: join(process.env['RUNNER_TEMP'], 'collab'),
    ...Object.fromEntries(kept),
    ...(key === '' ? {} : { CODEX_API_KEY: key }),
  };
}

function readResult(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** @returns the exit code of the step: 0 only for a review that finished and reports success */
async function conclude({ folder, code, result, reports, notReviewed }) {
  if (result === null) {
    addSummary(`**This change was not reviewed** (exit ${code}): the log of the step says why.`);
    annotate('error', `not reviewed: the log of the step says why (exit ${code})`);
    return code === 0 ? failed : code;
  }
  // Prints annotations, which are commands by collab itself, and the summary.
  await runCollab(['report', join(reports, 'review.json'), '--format', 'github'], folder);
  const excuse = excuseFor(result);
  if (excuse !== null) {
    addSummary(excuse);
    annotate('notice', excuse);
  }
  const isEnded = result.state === 'ended';
  if (isEnded && code <= 1) return code;
  if (isEnded && notReviewed === 'warn' && (code === 3 || code === 4)) return 0;
  return code === 0 ? failed : code;
}

/** A pull request from a fork gets no secrets: without them no agent is logged in, which is not an error. */
function excuseFor({ reasons }) {
  if (!reasons.some((reason) => /^agent_(?:missing|login):/.test(reason))) return null;
  return isFromFork()
    ? 'This pull request comes from a fork, and GitHub gives its runs no secrets: no advisor is logged in. A maintainer who has looked at it can push the branch into this repository, where the review runs; static checks need no login (advisor: static_review).'
    : 'No advisor is logged in: give the input codex-api-key, or advisor: static_review.';
}
