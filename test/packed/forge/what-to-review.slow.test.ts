/** `collab review` with the words that people use: a pull request, its address, a branch, a number, paths. */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startGithubWorld, type GithubWorldOptions, type WorldPull } from '../../forge/github-world.ts';
import { startGitlabWorld } from '../../forge/gitlab-world.ts';
import type { ForgeServer } from '../../forge/forge-server.ts';
import { test, type Place } from '../place.ts';

const token = 'token-of-a-test';
const review = ['--advisor', 'static_review', '--no-conventions'];
const diff = `diff --git a/src/till.ts b/src/till.ts
index 1111111..2222222 100644
--- a/src/till.ts
+++ b/src/till.ts
@@ -1 +1,2 @@
 export const till = 1;
+debugger;
`;
const pull: WorldPull = {
  number: 7,
  title: 'Add a till',
  body: 'The till counts in cents.',
  base: '1'.repeat(40),
  head: 'abcdef'.repeat(7).slice(0, 40),
  diff,
};

const inputSchema = z.looseObject({
  notes: z.array(z.string()),
  settings: z.looseObject({ only: z.array(z.string()).optional() }),
  change: z.looseObject({
    kind: z.string(),
    description: z.string(),
    diff: z.string(),
    pull_request: z.string().nullable(),
  }),
});

function inputOf(place: Place) {
  return inputSchema.parse(JSON.parse(readFileSync(join(place.lastRun(), 'input.json'), 'utf8')));
}

async function github(options: Partial<GithubWorldOptions> = {}) {
  const world = await startGithubWorld({ pulls: [pull], ...options });
  onTestFinished(() => world.close());
  return world;
}

function cloneOf(place: Place, remote: string): void {
  place.git('init', '-q', '-b', 'main');
  place.write('src/till.ts', 'export const till = 1;\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'one');
  place.git('remote', 'add', 'origin', remote);
}

function topicOf(place: Place): { readonly base: string; readonly head: string } {
  const base = place.git('rev-parse', 'HEAD').trim();
  place.git('checkout', '-qb', 'topic');
  place.write('src/till.ts', 'export const till = 1;\ndebugger;\n');
  place.write('docs/till.js', 'debugger;\n');
  place.git('add', '-A');
  place.git('commit', '-qm', 'two');
  return { base, head: place.git('rev-parse', 'HEAD').trim() };
}

const remoteOf = ({ url }: ForgeServer): string => `${url}/shop/till.git`;
const pullPath = 'GET /api/v3/repos/shop/till/pulls/7';

describe('a pull request of GitHub', () => {
  test.for([
    ['pr:7', 'pr:7'],
    ['#7', '#7'],
    ['7', 'a bare number'],
  ] as const)(
    '%s is read with its text, and the first block names the token’s source',
    async ([words], { place, expect }) => {
      const world = await github();
      cloneOf(place, remoteOf(world));
      const env = { ...world.env, GITHUB_TOKEN: token };
      const { code, stderr, stdout } = await place.collab(['review', words, ...review], { env });
      expect([code, stderr]).toEqual([
        0,
        expect.stringMatching(
          /^reviewing .*\n(?: {2}.*\n)* {2}.*the pull request is read from GitHub with the token of GITHUB_TOKEN/,
        ),
      ]);
      expect(`${stdout}${stderr}${JSON.stringify(inputOf(place))}`).not.toContain(token);
      expect(inputOf(place).change).toMatchObject({
        kind: 'stdin',
        diff,
        description: 'pull request shop/till#7 at abcdefabcdef',
        pull_request: 'Add a till\n\nThe till counts in cents.',
      });
      expect(world.requests()).toEqual([pullPath, pullPath]);
      expect(new Set(world.logins())).toEqual(new Set([`Bearer ${token}`]));
    },
  );

  test('its address needs neither a repository nor a token', async ({ place, expect }) => {
    const world = await github();
    const address = `${world.url}/shop/till/pull/7/files?diff=split#discussion_r1`;
    const { code, stderr } = await place.collab(['review', address, ...review], { env: world.env });
    expect([code, stderr]).toEqual([0, expect.stringContaining('read from GitHub without a token')]);
    expect(world.logins()).toEqual([undefined, undefined]);
  });

  test('a clone with its commits is compared here, with their messages', async ({ place, expect }) => {
    place.git('init', '-q', '-b', 'main');
    place.write('src/till.ts', 'export const till = 1;\n');
    place.git('add', '-A');
    place.git('commit', '-qm', 'one');
    const world = await github({ pulls: [{ ...pull, ...topicOf(place), diff: null }] });
    place.git('remote', 'add', 'origin', remoteOf(world));
    place.git('checkout', '-q', 'main');
    const { code } = await place.collab(['review', 'pr:7', ...review], { env: world.env });
    expect(code).toBe(0);
    expect(inputOf(place).change).toMatchObject({ kind: 'range', messages: expect.stringContaining('two') });
    expect(world.requests()).toEqual([pullPath]);
  });

  test('--pr-text replaces its text', async ({ place, expect }) => {
    const world = await github();
    place.write('pr.md', 'Another purpose.');
    const words = ['review', `${world.url}/shop/till/pull/7`, '--pr-text', 'pr.md', ...review];
    await place.collab(words, { env: world.env });
    expect(inputOf(place).change.pull_request).toBe('Another purpose.');
  });

  test('the token may come from gh, but not from a gh of the repository', async ({ place, expect }) => {
    const world = await github();
    cloneOf(place, remoteOf(world));
    const program = (folder: string, words: string) => {
      const file = place.write(
        `${folder}/gh`,
        `#!/bin/sh\n[ "$*" = "auth token --hostname ${new URL(world.url).host}" ] && echo ${words}\n`,
      );
      chmodSync(file, 0o755);
      return join(file, '..');
    };
    const path = place.environment['PATH'] ?? '';
    const own = program('../tools', token);
    const foreign = program('bin', 'stolen');
    const ran = await place.collab(['review', 'pr:7', ...review], {
      env: { ...world.env, PATH: `${foreign}:${own}:${path}:/bin:/usr/bin` },
    });
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('with the token of gh auth token'),
    });
    expect(new Set(world.logins())).toEqual(new Set([`Bearer ${token}`]));
  });

  test('the token of one host is not sent to the host of a remote', async ({ place, expect }) => {
    const [own, other] = [await github(), await github()];
    cloneOf(place, remoteOf(other));
    const env = { ...own.env, GITHUB_TOKEN: token, GH_TOKEN: token };
    await place.collab(['review', `${other.url}/shop/till/pull/7`, ...review], { env });
    expect(other.logins()).toEqual([undefined, undefined]);
    expect(own.requests()).toEqual([]);
  });
});

describe('a host that refuses or fails', () => {
  const retried = { 'retry-after': '0' };
  const far = String(Math.floor(Date.now() / 1000) + 3000);

  test.for([
    ['a failure of the server', { status: 502, body: 'bad gateway', headers: retried }],
    ['a secondary limit', { status: 403, body: { message: 'secondary rate limit' }, headers: retried }],
    ['too many requests', { status: 429, body: {}, headers: retried }],
  ] as const)('%s is waited for', async ([, answer], { place, expect }) => {
    const world = await github({ faults: [{ answer }, { answer }] });
    const { code } = await place.collab(['review', `${world.url}/shop/till/pull/7`, ...review], {
      env: world.env,
    });
    expect([code, world.requests().length]).toEqual([0, 4]);
  });

  test.for([
    [
      'an unknown pull request',
      { status: 404, body: { message: 'Not Found' } },
      2,
      /404: Not Found\n {2}No token is set/,
    ],
    ['a wrong token', { status: 401, body: { message: 'Bad credentials' } }, 4, /401: Bad credentials/],
    [
      'a limit that ends in an hour',
      { status: 403, body: {}, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': far } },
      4,
      /limit for this login is used up until \d\d:\d\d UTC/,
    ],
    ['an answer that is no pull request', { status: 200, body: [] }, 4, /in an unknown form/],
    [
      'a redirect to another host',
      { status: 301, body: '', headers: { location: 'http://127.0.0.2:9/x' } },
      4,
      /with 301/,
    ],
  ] as const)(
    '%s ends the command with what happened',
    async ([, answer, code, message], { place, expect }) => {
      const world = await github({ faults: [{ answer }] });
      const ran = await place.collab(['review', `${world.url}/shop/till/pull/7`, ...review], {
        env: world.env,
      });
      expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
      expect(ran.stderr).not.toMatch(/internal error|at \w+ \(/);
      expect(place.names()).toEqual([]);
    },
  );

  test('a diff that GitHub does not send is reviewed after a fetch', async ({ place, expect }) => {
    const world = await github({ pulls: [{ ...pull, diff: null }] });
    cloneOf(place, remoteOf(world));
    const ran = await place.collab(['review', 'pr:7', ...review], { env: world.env });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('git fetch origin pull/7/head') });
  });

  test('a renamed repository is followed on its host', async ({ place, expect }) => {
    const answer = { status: 301, body: '', headers: { location: '/api/v3/repos/shop/till/pulls/7' } };
    const world = await github({ faults: [{ answer }] });
    const words = ['review', `${world.url}/shop/old/pull/7`, ...review];
    // The diff is asked for under the old name too.
    const { stderr } = await place.collab(words, { env: { ...world.env, GITHUB_TOKEN: token } });
    expect(world.requests()).toEqual([
      'GET /api/v3/repos/shop/old/pulls/7',
      pullPath,
      'GET /api/v3/repos/shop/old/pulls/7',
    ]);
    expect(stderr).toContain('404');
  });
});

describe('a merge request of GitLab', () => {
  test.for(['mr:7', '!7', 'pr:7', '7'])('%s is read with its text', async (words, { place, expect }) => {
    const world = await startGitlabWorld({ pulls: [pull] });
    onTestFinished(() => world.close());
    cloneOf(place, `${world.url}/shop/web/till.git`);
    const env = { ...world.env, GITLAB_TOKEN: token };
    const { code, stderr } = await place.collab(['review', words, ...review], { env });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('read from GitLab with the token of GITLAB_TOKEN'),
    ]);
    expect(inputOf(place).change).toMatchObject({
      diff,
      description: 'pull request shop/web/till!7 at abcdefabcdef',
      pull_request: 'Add a till\n\nThe till counts in cents.',
    });
    expect(new Set(world.logins())).toEqual(new Set([`Bearer ${token}`]));
  });

  test('its address is enough', async ({ place, expect }) => {
    const world = await startGitlabWorld({ pulls: [pull] });
    onTestFinished(() => world.close());
    const address = `${world.url}/shop/web/till/-/merge_requests/7/diffs`;
    const { code } = await place.collab(['review', address, ...review], { env: world.env });
    expect([code, inputOf(place).change.diff]).toEqual([0, diff]);
  });
});

describe('a bare word', () => {
  test('a number that is also a file has two meanings', async ({ place, expect }) => {
    const world = await github();
    cloneOf(place, remoteOf(world));
    place.write('7', diff);
    const ran = await place.collab(['review', '7', ...review], { env: world.env });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toBe(
      'collab: "7" has 2 meanings\n  write which: the diff file ./7; or the pull request shop/till#7: pr:7\n',
    );
    expect(world.requests()).toEqual([]);
    expect((await place.collab(['review', './7', ...review], { env: world.env })).code).toBe(0);
    expect(inputOf(place).change.kind).toBe('file');
  });

  test('the main branch is what this branch left; on the main branch, another branch is its own commits', async ({
    place,
    expect,
  }) => {
    cloneOf(place, '/nowhere/till.git');
    topicOf(place);
    await place.collab(['review', 'main', ...review]);
    expect(inputOf(place).change).toMatchObject({ kind: 'base' });
    place.git('checkout', '-q', 'main');
    await place.collab(['review', 'topic', ...review]);
    expect(inputOf(place).change).toMatchObject({
      kind: 'range',
      description: expect.stringContaining('main...topic'),
    });
  });

  test('a branch that this one has left has two meanings', async ({ place, expect }) => {
    cloneOf(place, '/nowhere/till.git');
    topicOf(place);
    place.git('checkout', '-qb', 'next');
    place.write('more.js', 'debugger;\n');
    place.git('add', '-A');
    place.git('commit', '-qm', 'three');
    const ran = await place.collab(['review', 'topic', ...review]);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain(
      'the commits of topic since main: branch:topic; or the commits of this branch since topic: --base topic',
    );
    expect((await place.collab(['review', 'branch:topic', ...review])).code).not.toBe(2);
    expect(inputOf(place).change.description).toContain('main...topic');
  });

  test('a commit is reviewed alone, by its id or its prefix', async ({ place, expect }) => {
    cloneOf(place, '/nowhere/till.git');
    const { head } = topicOf(place);
    for (const words of [head.slice(0, 10), `commit:${head}`, 'HEAD']) {
      await place.collab(['review', words, ...review]);
      expect(inputOf(place).change).toMatchObject({
        kind: 'commit',
        description: expect.stringContaining(head.slice(0, 12)),
      });
    }
  });

  test.for([
    ['pr:', '"pr:" names no change'],
    ['pr:x', 'write pr:<number>, such as pr:123'],
    ['branch:', 'write branch:<name>'],
    ['pr:7', 'no remote of'],
    ['mr:7', 'is at GitLab'],
    ['branch:main', 'main is the branch that others are compared with'],
    ['branch:nowhere', 'git finds no commit "nowhere"'],
    ['nowhere', 'nowhere does not exist'],
    ['http://github.example/shop/till/pull/7', 'is not encrypted'],
  ] as const)('%s is refused with what to write', async ([words, message], { place, expect }) => {
    cloneOf(place, '/nowhere/till.git');
    const ran = await place.collab(['review', words, ...review]);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(place.runs()).toEqual([]);
  });
});

describe('paths behind --', () => {
  test('leave out all other files, of a range and of a pull request', async ({ place, expect }) => {
    const world = await github();
    cloneOf(place, remoteOf(world));
    topicOf(place);
    await place.collab(['review', 'main', ...review, '--', 'docs']);
    expect(await statuses(place)).toEqual({ 'docs/till.js': 'scanned', 'src/till.ts': 'skipped' });
    await place.collab(['review', 'main', ...review, '--', '../docs/till.js'], {
      cwd: join(place.folder, 'src'),
    });
    await place.collab(['review', 'pr:7', ...review, '--', 'docs'], { env: world.env });
    expect(await statuses(place)).toEqual({ 'src/till.ts': 'skipped' });
  });

  test('need no change before them, and a folder’s name is no pattern', async ({ place, expect }) => {
    cloneOf(place, '/nowhere/till.git');
    place.write('a/src/x.js', 'debugger;\n');
    place.write('src/x.js', 'debugger;\n');
    await place.collab(['review', ...review, '--', 'src/']);
    expect(await statuses(place)).toEqual({ 'a/src/x.js': 'skipped', 'src/x.js': 'scanned' });
  });

  test('a path outside of the repository is refused', async ({ place, expect }) => {
    cloneOf(place, '/nowhere/till.git');
    const ran = await place.collab(['review', ...review, '--', '../x']);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('the path "../x" is not in') });
  });
});

const resultSchema = z.looseObject({
  coverage: z.looseObject({ files: z.array(z.looseObject({ path: z.string(), status: z.string() })) }),
});

async function statuses(place: Place) {
  const { stdout } = await place.collab(['show', '--json']);
  const { files } = resultSchema.parse(JSON.parse(stdout)).coverage;
  return Object.fromEntries(files.map(({ path, status }) => [path, status]));
}
