// Publishes a saved result to its pull request: one comment, replaced by each run, and the SARIF file for the next step.
// It runs with the token that may write, and has nothing from the change under review: no checkout, no agent.
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { putComment } from './comment.mjs';
import { connect } from './github-api.mjs';
import { findPullRequest } from './pull-request.mjs';
import { annotate, Refusal, runStep, setOutput } from './runner.mjs';
import { createWaits } from './waits.mjs';

/** GitHub's limit for a comment, in characters. */
const longestComment = 65_536;
const largestResult = 64 * 2 ** 20;

await runStep(async () => {
  const waits = createWaits();
  const api = connect(process.env, waits);
  const event = JSON.parse(readFileSync(process.env['GITHUB_EVENT_PATH'], 'utf8'));
  const found = await findPullRequest(api, event, process.env['INPUT_PULL_REQUEST'] ?? '');
  if (found === null) {
    annotate(
      'notice',
      'nothing is published: no open pull request has the reviewed commit at its head anymore',
    );
    return 0;
  }
  const { INPUT_RESULT: named = '' } = process.env;
  // collab runs in another folder.
  const result = named === '' ? '' : resolve(named);
  const isThere = isResult(result);
  if (isThere && !isAbout(result, found.sha, isForeign(event))) {
    annotate(
      'notice',
      `nothing is published: the result is not about ${found.sha}, the head of the pull request`,
    );
    return 0;
  }
  setOutput('pull-request', found.number);
  setOutput('ref', `refs/pull/${found.number}/head`);
  setOutput('sha', found.sha);
  if (isThere) setOutput('sarif', writeSarif(result));
  if (isThere && wantsLines()) {
    const url = publishRound(result, found.number);
    if (url !== null) setOutput('comment', url);
    return 0;
  }
  const comment = isThere ? render(result, 'markdown') : withoutResult();
  const url = await putComment(api, {
    number: found.number,
    author: process.env['INPUT_COMMENT_AUTHOR'] ?? '',
    body: signed(comment, found.sha, event.workflow_run?.html_url),
    waits,
  });
  setOutput('comment', url);
  process.stdout.write(`${url}\n`);
  return 0;
});

/** The result can come from a fork: a link could name any file of this machine. */
function isResult(path) {
  const found = path === '' ? undefined : lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isFile()) throw new Refusal(`the result ${path} is not a regular file`);
  if (found.size > largestResult) throw new Refusal(`the result ${path} is larger than 64 MiB`);
  return true;
}

/** A result that names no head, such as that of a diff, is taken as it is; of a fork's run, it may be about anything. */
function isAbout(result, sha, isForeignRun) {
  let head;
  try {
    head = JSON.parse(readFileSync(result, 'utf8')).input?.head;
  } catch {
    // Rendering it reports the fault.
    return true;
  }
  if (head === undefined) return true; // Rendering it reports the fault.
  return head === sha || (head === null && !isForeignRun);
}

/** True if the run that wrote the result may be a fork's. */
function isForeign({ workflow_run: run, pull_request: request }) {
  const own = process.env['GITHUB_REPOSITORY'];
  const from = run === undefined ? request?.head.repo : run.head_repository;
  return (run !== undefined || request !== undefined) && from?.full_name !== own;
}

function writeSarif(result) {
  const file = join(mkdtempSync(join(process.env['RUNNER_TEMP'], 'collab-publish-')), 'review.sarif');
  writeFileSync(file, render(result, 'sarif'));
  return file;
}

function wantsLines() {
  const wanted = process.env['INPUT_COMMENTS'] ?? '';
  if (['', 'one', 'lines'].includes(wanted)) return wanted === 'lines';
  throw new Refusal(`comments takes one or lines, not "${wanted}"`);
}

/** @returns the address of the summary; null if the pull request has another head by now */
function publishRound(result, number) {
  const { PATH = '', HOME = '', GITHUB_REPOSITORY: repository, COLLAB_CACHE_KEY: key = '' } = process.env;
  const { GITHUB_SERVER_URL: server = 'https://github.com', GITHUB_API_URL: api = '' } = process.env;
  const token = process.env['INPUT_GITHUB_TOKEN'];
  const env = { PATH, HOME, GITHUB_TOKEN: token, GITHUB_SERVER_URL: server, GITHUB_API_URL: api };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [process.env['COLLAB_COMMAND'], 'publish', result, `${server}/${repository}/pull/${number}`],
    { env: { ...env, COLLAB_CACHE_KEY: key }, cwd: process.env['RUNNER_TEMP'], encoding: 'utf8' },
  );
  // Lines about waits are before the reason, and its hint is after it.
  const lines = stderr.trim().split('\n');
  const why = lines.findLast((line) => line.startsWith('collab: ')) ?? lines[0];
  if (status !== 0) throw new Refusal(`the round could not be published: ${why}`);
  const [said = '', url = ''] = stdout.trim().split('\n');
  annotate('notice', said);
  return url === '' ? null : url;
}

/** The result is foreign: collab reads it with a schema, and its output is inert. */
function render(result, format) {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [process.env['COLLAB_COMMAND'], 'report', result, '--format', format],
    { env: { PATH, HOME }, cwd: process.env['RUNNER_TEMP'], encoding: 'utf8', maxBuffer: 64 * 2 ** 20 },
  );
  if (status === 0) return stdout;
  throw new Refusal(`the result ${result} cannot be rendered as ${format}: ${stderr.trim().split('\n')[0]}`);
}

/** Includes the mark of collab's own comment, so that the next review replaces it. */
function withoutResult() {
  return '<!-- collab:review -->\n\n# Code review: not reviewed\n\nThe review left no result: its job ended before there was one.\n';
}

function signed(comment, sha, run) {
  const signature = `\nOf commit ${sha}${run === undefined ? '' : `, by [this run](${run})`}.\n`;
  return comment.length + signature.length <= longestComment ? comment + signature : comment;
}
