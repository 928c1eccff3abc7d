/** The action that publishes, as a runner runs it: a saved result, a loopback of GitHub's interface, and no checkout. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../fixtures/scratch-repository.ts';
import { sampleResults } from '../../fixtures/reports/sample-results.ts';
import { diffOf, findingOn, headOf, roundResult } from '../../../src/forge/round/rounds.test-helper.ts';
import type { Fault } from '../../forge/forge-server.ts';
import type { ListedPull } from '../../forge/github-lists.ts';
import { startGithubPull, type PullComment } from '../../forge/github-pull.ts';
import { runAction, type ActionRun } from '../../runner/run-action.ts';
import { installPackedCollab } from '../packed-collab.ts';
import { repository } from '../place.ts';

const token = 'ghs_loopbackToken';
const sha = 'a1'.repeat(20);
const branch = 'topic$(touch pwned)&state=closed';

/** A review of the pull request 7, which comes from a fork, has ended. */
const workflowRun = {
  name: 'workflow_run',
  payload: {
    workflow_run: {
      head_sha: sha,
      head_branch: branch,
      head_repository: { full_name: 'stranger/till', owner: { login: 'stranger' } },
      html_url: 'https://github.example/shop/till/actions/runs/1',
      pull_requests: [],
    },
  },
};
const ofFork: ListedPull = { number: 7, head: sha, repository: 'stranger/till' };
const pulls = [{ number: 8, head: sha, repository: 'another/till' }, ofFork];

interface Job {
  /** The pull requests of the repository. */
  readonly listed?: readonly ListedPull[];
  readonly faults?: readonly Fault[];
  /** The content of review.json; null if there is none. */
  readonly result?: string | null;
  /** The target of a link in the place of review.json. */
  readonly link?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event?: { readonly name: string; readonly payload: unknown };
  readonly token?: string;
}

function resultOf(head: string | null): string {
  const result = sampleResults['findings'];
  return JSON.stringify({ ...result, input: { ...result?.input, head } });
}

async function publish(job: Job = {}): Promise<
  ActionRun & {
    readonly comments: readonly PullComment[];
    readonly requests: readonly string[];
    readonly workspace: string;
    readonly logins: ReadonlySet<string | undefined>;
  }
> {
  const root = scratchFolder();
  const [temporary, workspace] = [join(root, 'temp'), join(root, 'workspace')];
  for (const folder of [temporary, workspace]) mkdirSync(folder);
  const result = join(workspace, 'review.json');
  const saved = job.result === undefined ? resultOf(sha) : job.result;
  if (job.link !== undefined) symlinkSync(job.link, result);
  else if (saved !== null) writeFileSync(result, saved);
  const { listed = pulls, faults = [] } = job;
  const login = 'github-actions[bot]';
  const server = await startGithubPull({ head: sha, diff: '', login, listed, faults });
  onTestFinished(() => server.close());
  const { command } = await installPackedCollab();
  const ran = await runAction({
    action: join(repository, 'publish'),
    temporary,
    workspace,
    path: process.env['PATH'] ?? '',
    token: job.token ?? token,
    inputs: { result, ...job.inputs },
    event: job.event ?? workflowRun,
    env: { GITHUB_API_URL: `${server.url}/api/v3`, GITHUB_REPOSITORY: 'shop/till' },
    done: { install: { command } },
  });
  return {
    ...ran,
    workspace,
    logins: new Set(server.logins()),
    comments: server.comments(),
    requests: server.calls().map(({ method, path, query }) => {
      const words = query.size === 0 ? '' : `?${query}`;
      return `${method} ${path.replace('/api/v3/repos/shop/till/', '')}${words}`;
    }),
  };
}

const said = ({ commands }: ActionRun) => commands.map(({ name, data }) => `${name}: ${data}`);

test('the review of a fork gets one comment at its own pull request, and a SARIF file', async () => {
  const { code, outputs, comments, requests, logins } = await publish();
  expect(code).toBe(0);
  expect(logins).toEqual(new Set([`Bearer ${token}`]));
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body).toMatch(/^<!-- collab:review -->\n\n# Code review: findings/);
  expect(comments[0]?.body).toContain(`Of commit ${sha}, by [this run](https://github.example/`);
  expect(requests).toEqual([
    `GET pulls?state=open&per_page=100&${new URLSearchParams({ head: `stranger:${branch}` })}`,
    'GET issues/7/comments?per_page=100&page=1',
    'POST issues/7/comments',
  ]);
  expect(outputs).toMatchObject({ 'pull-request': '7', ref: 'refs/pull/7/head', sha });
  expect(existsSync(outputs['sarif'] ?? '')).toBe(true);
});

test('a result about another commit than the head of the pull request is not published', async () => {
  const ran = await publish({ result: resultOf('b2'.repeat(20)) });
  expect(ran).toMatchObject({ code: 0, comments: [] });
  expect(said(ran)).toEqual([
    `notice: nothing is published: the result is not about ${sha}, the head of the pull request`,
  ]);
});

test('a result of a fork that names no commit is not published; one of the own repository is', async () => {
  const ran = await publish({ result: resultOf(null) });
  expect(ran).toMatchObject({ code: 0, comments: [] });
  expect(said(ran)).toEqual([expect.stringContaining('the result is not about')]);
  const pull = { number: 7, head: { sha, repo: { full_name: 'shop/till' } } };
  const event = { name: 'pull_request', payload: { pull_request: pull } };
  expect((await publish({ result: resultOf(null), event })).comments).toHaveLength(1);
});

test('nothing is published on a pull request that is closed', async () => {
  const closed: ListedPull = { number: 7, state: 'closed', head: sha, repository: 'shop/till' };
  const event = { name: 'push', payload: {} };
  const ran = await publish({ listed: [closed], event, inputs: { 'pull-request': '7' } });
  expect(ran).toMatchObject({ code: 0, comments: [], outputs: { 'pull-request': '' } });
  expect(said(ran)).toEqual([expect.stringMatching(/^notice: nothing is published/)]);
});

test('a link in the place of the result is red, and nothing of its target is shown', async () => {
  const target = join(scratchFolder(), 'secret.json');
  writeFileSync(target, '{"token": "a secret of the runner"}');
  const ran = await publish({ link: target });
  expect(ran).toMatchObject({ code: 2, comments: [] });
  expect(said(ran)).toEqual([expect.stringContaining('review.json is not a regular file')]);
});

test('a token without write permission is red, with the missing permission', async () => {
  const ran = await publish({
    faults: [{ answer: { status: 403, body: { message: 'no' } }, when: ({ method }) => method !== 'GET' }],
  });
  expect(ran.code).toBe(2);
  expect(said(ran)).toEqual([expect.stringContaining('pull-requests: write')]);
});

test('without a token no request is sent', async () => {
  const ran = await publish({ token: '' });
  expect(ran).toMatchObject({ code: 2, requests: [] });
  expect(said(ran)).toEqual([expect.stringContaining('give the input github-token')]);
});

test('a review without a result is reported as not reviewed', async () => {
  const { code, comments, outputs } = await publish({ result: null });
  expect({ code, sarif: outputs['sarif'] }).toEqual({ code: 0, sarif: '' });
  expect(comments[0]?.body).toMatch(/^<!-- collab:review -->\n\n# Code review: not reviewed\n/);
});

test('an invalid result is refused, and nothing is written', async () => {
  for (const result of ['{}', 'not json', '{"schema":"collab.review/v1"}']) {
    const ran = await publish({ result });
    expect(ran).toMatchObject({ code: 2, comments: [] });
    expect(said(ran)).toEqual([expect.stringContaining('cannot be rendered')]);
  }
});

test('a pull request with newer commits is left to its next review', async () => {
  const ran = await publish({
    listed: [{ ...ofFork, head: 'b2'.repeat(20) }],
  });
  expect(ran).toMatchObject({ code: 0, comments: [], outputs: { 'pull-request': '', sarif: '' } });
  expect(said(ran)).toEqual([expect.stringMatching(/^notice: nothing is published: no open pull request/)]);
});

test('nothing is published for a deleted fork', async () => {
  const payload = { workflow_run: { ...workflowRun.payload.workflow_run, head_repository: null } };
  const ran = await publish({ event: { name: 'workflow_run', payload } });
  expect(ran).toMatchObject({ code: 0, comments: [] });
  expect(said(ran)).toEqual([expect.stringMatching(/^notice: nothing is published/)]);
});

test('if two pull requests have one head, the run names one, or the input must', async () => {
  const twice = [{ ...ofFork, number: 70 }, ofFork];
  const ran = await publish({ listed: twice });
  expect(ran).toMatchObject({ code: 2, comments: [] });
  expect(said(ran)).toEqual([expect.stringContaining('have the same head: give the input pull-request')]);
  const payload = { workflow_run: { ...workflowRun.payload.workflow_run, pull_requests: [{ number: 7 }] } };
  expect(await publish({ listed: twice, event: { name: 'workflow_run', payload } })).toMatchObject({
    code: 0,
    outputs: { 'pull-request': '7' },
  });
});

test('the pull request may come from the event or the input', async () => {
  const event = { name: 'pull_request', payload: { pull_request: { number: 7, head: { sha } } } };
  expect(await publish({ event })).toMatchObject({ code: 0, outputs: { 'pull-request': '7', sha } });
  const push = { name: 'push', payload: {} };
  expect(await publish({ event: push, inputs: { 'pull-request': '7' } })).toMatchObject({
    code: 0,
    outputs: { 'pull-request': '7', sha },
  });
  expect(await publish({ event: push })).toMatchObject({ code: 2, comments: [] });
  expect(await publish({ inputs: { 'pull-request': '7/../8' } })).toMatchObject({ code: 2, requests: [] });
});

test('no part of a branch name is executed', async () => {
  const { workspace } = await publish();
  expect(existsSync(join(workspace, 'pwned'))).toBe(false);
});

/** Publishes a review of one finding as comments on lines. */
async function publishLines(faults: readonly Fault[] = []) {
  const files = { 'src/till.ts': ['eval(input);'] };
  const pull = await startGithubPull({ head: headOf(1), diff: diffOf(files), faults });
  onTestFinished(() => pull.close());
  const found = findingOn({ path: 'src/till.ts', line: 1, quote: 'eval(input);', title: 'eval' });
  const result = roundResult(files, [found]);
  const root = scratchFolder();
  const [temporary, workspace] = [join(root, 'temp'), join(root, 'workspace')];
  for (const folder of [temporary, workspace]) mkdirSync(folder);
  const reviewed = { ...result, input: { ...result.input, head: headOf(1) } };
  writeFileSync(join(workspace, 'review.json'), JSON.stringify(reviewed));
  const { command } = await installPackedCollab();
  const ran = await runAction({
    action: join(repository, 'publish'),
    temporary,
    workspace,
    path: process.env['PATH'] ?? '',
    token,
    inputs: { result: 'review.json', comments: 'lines' },
    event: { name: 'pull_request', payload: { pull_request: { number: 7, head: { sha: headOf(1) } } } },
    env: {
      GITHUB_API_URL: `${pull.url}/api/v3`,
      GITHUB_SERVER_URL: pull.url,
      GITHUB_REPOSITORY: 'shop/till',
    },
    done: { install: { command } },
  });
  return { ran, pull };
}

test('with comments: lines, findings are threads, and the result may be named from the workspace', async () => {
  const { ran, pull } = await publishLines();
  expect([ran.code, ran.log]).toEqual([0, expect.any(String)]);
  expect(pull.threads().map(({ path, line }) => [path, line])).toEqual([['src/till.ts', 1]]);
  expect(ran.outputs).toMatchObject({
    'pull-request': '7',
    comment: expect.stringMatching(/^https:\/\/github\.example\/shop\/till\/pull\/7#comment-\d+$/),
  });
  expect(said(ran)).toEqual([expect.stringContaining('shop/till#7, round 1: 1 comment posted')]);
  expect(new Set(pull.logins())).toEqual(new Set([`Bearer ${token}`]));
});

/** Refuses one query, which only collab sends. */
function refusing(status: number): Fault {
  return {
    when: ({ path }) => path.endsWith('/graphql'),
    answer: { status, body: { message: `no ${status}` } },
  };
}

test('a round that fails after a wait says why, and not that it waited', async () => {
  const { ran } = await publishLines([refusing(503), refusing(401)]);
  expect(ran.code).toBe(2);
  expect(said(ran)).toEqual([expect.stringMatching(/could not be published: .*no 401/)]);
});

test('another word for comments is refused', async () => {
  const ran = await publish({ inputs: { comments: 'all' } });
  expect([ran.code, said(ran)]).toEqual([2, ['error: comments takes one or lines, not "all"']]);
});
