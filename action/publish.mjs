// Publishes a saved result to its pull request: one comment, replaced by each run, and the SARIF file for the next step.
// It runs with the token that may write, and has nothing from the change under review: no checkout, no agent.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { putComment } from './comment.mjs';
import { connect } from './github-api.mjs';
import { findPullRequest } from './pull-request.mjs';
import { annotate, Refusal, runStep, setOutput } from './runner.mjs';

/** GitHub's limit for a comment, in characters. */
const longestComment = 65_536;

await runStep(async () => {
  const api = connect(process.env);
  const event = JSON.parse(readFileSync(process.env['GITHUB_EVENT_PATH'], 'utf8'));
  const found = await findPullRequest(api, event, process.env['INPUT_PULL_REQUEST'] ?? '');
  if (found === null) {
    annotate(
      'notice',
      'nothing is published: no open pull request has the reviewed commit at its head anymore',
    );
    return 0;
  }
  const result = process.env['INPUT_RESULT'] ?? '';
  const isThere = existsSync(result);
  setOutput('pull-request', found.number);
  setOutput('ref', `refs/pull/${found.number}/head`);
  setOutput('sha', found.sha);
  if (isThere) setOutput('sarif', writeSarif(result));
  const comment = isThere ? render(result, 'markdown') : withoutResult();
  const url = await putComment(api, {
    number: found.number,
    author: process.env['INPUT_COMMENT_AUTHOR'] ?? '',
    body: signed(comment, found.sha, event.workflow_run?.html_url),
  });
  setOutput('comment', url);
  process.stdout.write(`${url}\n`);
  return 0;
});

function writeSarif(result) {
  const file = join(mkdtempSync(join(process.env['RUNNER_TEMP'], 'collab-publish-')), 'review.sarif');
  writeFileSync(file, render(result, 'sarif'));
  return file;
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
