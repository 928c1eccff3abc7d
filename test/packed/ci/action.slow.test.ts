/** The action as a runner runs it: a shallow clone of a loopback GitHub, the installed package, rehearsed and static reviews. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { scratchFolder, scratchRepository } from '../../fixtures/scratch-repository.ts';
import { basic, startGithubServer } from '../../runner/github-server.ts';
import { startRegistryServer } from '../../runner/registry-server.ts';
import { runAction, type ActionOptions, type ActionRun } from '../../runner/run-action.ts';
import { installPackedCollab, type PackedCollab } from '../packed-collab.ts';
import { repository } from '../place.ts';

const token = 'ghs_loopbackToken';
const harmless = 'export const greeting = "good morning";\n';
const faulty =
  'import https from "node:https";\nexport const agent = new https.Agent({ rejectUnauthorized: false });\n';

interface Job {
  /** The pull request's content of `src/client.js`. */
  readonly change?: string;
  readonly isPrivate?: boolean;
  /** `github.token` */
  readonly token?: string;
  /** The source of the pull request; default: the repository itself. */
  readonly from?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event?: (commits: { readonly base: string; readonly head: string }) => ActionOptions['event'];
  readonly env?: Readonly<Record<string, string>>;
  readonly done?: ActionOptions['done'];
  /** Adds files to the checkout. */
  readonly prepare?: (workspace: string) => void;
}

interface EndedJob extends ActionRun {
  readonly workspace: string;
  readonly temporary: string;
  readonly base: string;
  readonly head: string;
  readonly logins: readonly (string | null)[];
}

/**
 * The pull request 7 of `shop/till`: its base has newer commits than its branch point. The checkout is its merge, one
 * commit deep.
 */
async function runJob(job: Job = {}): Promise<EndedJob> {
  const root = scratchFolder();
  const [temporary, workspace, bin] = ['temp', 'workspace', 'bin'].map((name) => join(root, name));
  if (temporary === undefined || workspace === undefined || bin === undefined) throw new Error('no folders');
  for (const folder of [temporary, workspace]) mkdirSync(folder);
  const { base, head } = makeRepository(join(root, 'repositories/shop/till'), job.change ?? harmless);
  const server = await startGithubServer({
    repositories: join(root, 'repositories'),
    token: job.isPrivate === true ? token : null,
  });
  onTestFinished(server.close);
  checkOut(workspace, join(root, 'repositories/shop/till'));
  job.prepare?.(workspace);
  const { command } = await installPackedCollab();
  const ran = await runAction({
    action: repository,
    temporary,
    workspace,
    path: programs(bin),
    token: job.token ?? token,
    inputs: job.inputs ?? {},
    event: (job.event ?? ((commits) => pullRequest(commits, job.from)))({ base, head }),
    env: { GITHUB_SERVER_URL: server.url, GITHUB_REPOSITORY: 'shop/till', ...job.env },
    done: job.done ?? { install: { command } },
  });
  return { ...ran, workspace, temporary, base, head, logins: server.logins() };
}

function makeRepository(bare: string, change: string): { readonly base: string; readonly head: string } {
  const { git, write, commit } = scratchRepository();
  write('src/client.js', 'export const greeting = "hello";\n');
  commit('first');
  git('checkout', '--quiet', '-b', 'topic');
  write('src/client.js', change);
  const head = commit('topic');
  git('checkout', '--quiet', 'main');
  write('README.md', 'A till.\n');
  const base = commit('meanwhile');
  git('checkout', '--quiet', '--detach');
  git('merge', '--quiet', '--no-ff', '--no-edit', 'topic');
  git('init', '--quiet', '--bare', bare);
  git('push', '--quiet', bare, 'main:refs/heads/main', 'topic:refs/pull/7/head', 'HEAD:refs/pull/7/merge');
  git('--git-dir', bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  return { base, head };
}

/** As actions/checkout does without `fetch-depth` and `persist-credentials`. */
function checkOut(workspace: string, bare: string): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'ignore' });
  git('init', '--quiet');
  git('fetch', '--quiet', '--depth=1', `file://${bare}`, 'refs/pull/7/merge');
  git('checkout', '--quiet', '--detach', 'FETCH_HEAD');
}

function pullRequest({ base, head }: { readonly base: string; readonly head: string }, from = 'shop/till') {
  return {
    name: 'pull_request',
    payload: {
      pull_request: {
        number: 7,
        title: 'A greeting $(touch title-pwned) `touch title-pwned`\n::error::title',
        base: { sha: base, ref: 'main', repo: { full_name: 'shop/till' } },
        head: { sha: head, ref: '$(touch${IFS}branch-pwned)', repo: { full_name: from } },
      },
    },
  };
}

/** The PATH of a runner, without an agent that this machine may have. */
function programs(bin: string): string {
  mkdirSync(bin);
  for (const name of ['node', 'npm', 'git', 'bash', 'sh', 'env', 'touch']) {
    const found = (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path));
    if (found !== undefined) symlinkSync(found, join(bin, name));
  }
  return bin;
}

const schedule = () => ({ name: 'schedule', payload: {} });
const rules = { advisor: 'static_review' };
const resultSchema = z.looseObject({
  outcome: z.string(),
  input: z.looseObject({ base: z.string(), head: z.string() }),
  findings: z.array(z.looseObject({ path: z.string(), start_line: z.number() })),
});
const readResult = (path = '') => resultSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
const said = ({ commands }: ActionRun) => commands.map(({ name, data }) => `${name}: ${data}`);

test('a pull request without a finding is green, and its reports say clean', async () => {
  const { code, outputs, summary, commands, head } = await runJob({ inputs: rules });
  expect({ code, commands }).toEqual({ code: 0, commands: [] });
  expect(outputs['reports']).toMatch(/collab-review-\w+$/);
  expect(readdirSync(outputs['reports'] ?? '').toSorted()).toEqual([
    'review.json',
    'review.md',
    'review.sarif',
  ]);
  expect(outputs).toMatchObject({ outcome: 'clean', 'exit-code': '0' });
  expect(readResult(outputs['result'])).toMatchObject({ outcome: 'clean', input: { head }, findings: [] });
  expect(summary).toContain('# Code review: clean');
});

test('a finding at the threshold makes it red; later commits on the base are not reviewed', async () => {
  const ran = await runJob({ change: faulty, inputs: rules });
  expect(ran).toMatchObject({ code: 1, outputs: { outcome: 'findings', 'exit-code': '1' } });
  expect(said(ran)).toEqual([expect.stringMatching(/^error: Why: Anyone on the network path can read/)]);
  expect(readResult(ran.outputs['result']).findings).toMatchObject([
    { path: 'src/client.js', start_line: 2 },
  ]);
  expect(ran.summary).toContain('src/client.js');
});

test('a change does not set the rules of its own review', async () => {
  const config = 'fail_on: never\nexclude: ["**"]\n';
  const prepare = (workspace: string) => writeFileSync(join(workspace, 'collab.config.yaml'), config);
  expect(await runJob({ change: faulty, inputs: rules, prepare })).toMatchObject({ code: 1 });
});

test('findings below the threshold leave it green', async () => {
  const ran = await runJob({ change: faulty, inputs: { ...rules, 'fail-on': 'never' } });
  expect(ran).toMatchObject({ code: 0, outputs: { outcome: 'findings', 'exit-code': '0' } });
});

test('a shallow clone of a private repository is completed with the token only', async () => {
  const { code, logins } = await runJob({ isPrivate: true, inputs: rules });
  expect(code).toBe(0);
  expect(new Set(logins)).toEqual(new Set([null, basic(token)]));
});

test('a public repository needs no token', async () => {
  const { code, logins } = await runJob({ token: '', inputs: rules });
  expect(code).toBe(0);
  expect(new Set(logins)).toEqual(new Set([null]));
});

test('a private repository without a token is refused with both remedies, before anything is reviewed', async () => {
  const ran = await runJob({ isPrivate: true, token: '', inputs: rules });
  expect(ran.code).toBe(2);
  expect(ran.outputs['outcome']).toBe('');
  expect(said(ran)).toEqual([expect.stringMatching(/^error: the clone at .*fetch-depth: 0.*github-token$/)]);
});

test('a fork has no login: red, with the reason', async () => {
  const ran = await runJob({ from: 'stranger/till' });
  expect(ran).toMatchObject({ code: 4, outputs: { outcome: 'failed', 'exit-code': '4' } });
  expect(said(ran)).toEqual([
    expect.stringMatching(/^error: .*Codex is not installed/),
    expect.stringMatching(/^notice: This pull request comes from a fork/),
  ]);
  expect(ran.summary).toContain('A maintainer who has looked at it can push the branch');
});

test('without a key the repository’s own pull request is red with the remedy', async () => {
  const ran = await runJob();
  expect(ran.code).toBe(4);
  expect(said(ran)[1]).toContain('give the input codex-api-key');
});

test('an unreviewed change may be a warning instead, but never silent', async () => {
  const inputs = { 'not-reviewed': 'warn' };
  const ran = await runJob({ from: 'stranger/till', inputs });
  expect(ran).toMatchObject({ code: 0, outputs: { outcome: 'failed', 'exit-code': '4' } });
  expect(said(ran)[0]).toMatch(/^error: .*Codex is not installed/);
});

test('an incomplete review is red', async () => {
  const ran = await runJob({
    inputs: { advisor: `rehearsal:${join(repository, 'test/fixtures/rehearsal/prose.yaml')}` },
  });
  expect(ran).toMatchObject({ code: 3, outputs: { outcome: 'incomplete', 'exit-code': '3' } });
  expect(said(ran)).toEqual([
    expect.stringMatching(/^error: .*the advisor did not answer in the agreed form/),
  ]);
});

test('a change without anything to review is green, and says so', async () => {
  const ran = await runJob({ inputs: { ...rules, args: '--exclude=src/**' } });
  expect(ran).toMatchObject({ code: 0, outputs: { outcome: 'nothing_reviewed', 'exit-code': '0' } });
  expect(said(ran)).toEqual([expect.stringMatching(/^notice: /)]);
  expect(ran.summary).toContain('# Code review: nothing reviewed');
  expect(ran.summary).not.toContain('clean');
});

test.each([
  ['fail', '--exclude=src/**\n--fail-on-empty', harmless, 3],
  ['fail', '', 'export const greeting = "\0";\n', 3],
  ['warn', '', 'export const greeting = "\0";\n', 0],
])(
  'with not-reviewed: %s a change of which something had to be reviewed is an error, with %j',
  async (notReviewed, args, change, code) => {
    const ran = await runJob({ change, inputs: { ...rules, args, 'not-reviewed': notReviewed } });
    expect(ran).toMatchObject({ code, outputs: { outcome: 'nothing_reviewed', 'exit-code': '3' } });
    expect(said(ran)).toEqual([expect.stringMatching(/^error: /)]);
    expect(ran.summary).toContain('# Code review: nothing reviewed');
  },
);

test('no part of an input, a title or a branch is executed', async () => {
  const hostile = '$(touch pwned) `touch pwned`; touch pwned\n"; touch pwned; "';
  const names = [
    'base',
    'args',
    'advisor',
    'fail-on',
    'formats',
    'working-directory',
    'not-reviewed',
    'model',
  ];
  for (const name of names) {
    const { code, workspace } = await runJob({ inputs: { [name]: hostile } });
    expect({ name, red: code > 0 }).toEqual({ name, red: true });
    expect(readdirSync(workspace).filter((file) => file.includes('pwned'))).toEqual([]);
  }
});

test('the output of a review is not a command to the runner, on either stream', async () => {
  const command = join(scratchFolder(), 'prints.mjs');
  const lines = "'::error::foreign\\n ##[error]foreign\\n::add-mask::e'";
  writeFileSync(command, `process.stdout.write(${lines});\nprocess.stderr.write(${lines});\n`);
  const ran = await runJob({ done: { install: { command } } });
  expect(ran.log.split('foreign')).toHaveLength(5);
  expect(said(ran)).toEqual(['error: not reviewed: the log of the step says why (exit 0)']);
});

test('collab gets one argument per line, the key, and no token', async () => {
  const recorder = join(scratchFolder(), 'recorder.mjs');
  writeFileSync(
    recorder,
    "import { writeFileSync } from 'node:fs';\nwriteFileSync('recorded.json', JSON.stringify({ args: process.argv.slice(2), env: process.env }));\n",
  );
  const ran = await runJob({
    inputs: {
      'codex-api-key': 'sk-loopback',
      advisor: 'codex',
      model: 'gpt-5.5',
      'config-from': 'main',
      formats: 'gitlab',
      args: '--focus\n  the money; $HOME  \n\n--exclude=docs/**\n',
    },
    env: { GITHUB_TOKEN: token, GH_TOKEN: token, ACTIONS_RUNTIME_TOKEN: token, CLAUDECODE: '1' },
    done: { install: { command: recorder } },
  });
  const { args, env } = z
    .object({ args: z.array(z.string()), env: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(ran.workspace, 'recorded.json'), 'utf8')));
  const reports = ran.outputs['reports'];
  expect(args.join('|')).toBe(
    [
      `review|${ran.base}...${ran.head}|--advisor|codex:gpt-5.5|--config-from|main`,
      `--report|json=${reports}/review.json|--report|markdown=${reports}/review.md`,
      `--report|gitlab=${reports}/review.gitlab.json`,
      '--focus|the money; $HOME|--exclude=docs/**',
    ].join('|'),
  );
  expect(env).toMatchObject({ CODEX_API_KEY: 'sk-loopback', COLLAB_HOME: join(ran.temporary, 'collab') });
  expect(JSON.stringify(env)).not.toContain(token);
  expect(Object.keys(env)).not.toContain('CLAUDECODE');
  expect(ran).toMatchObject({ code: 4, outputs: { outcome: 'none', 'exit-code': '0' } });
  expect(said(ran)).toEqual(['error: not reviewed: the log of the step says why (exit 0)']);
});

test('a wrong version is refused before anything is fetched', async () => {
  for (const name of ['version', 'codex-version']) {
    for (const version of ['latest', '^1.0.0', '1.0.0 --registry=http://127.0.0.1:1', '../till']) {
      const ran = await runJob({
        inputs: { [name]: version, 'codex-api-key': 'key' },
        env: { npm_config_registry: 'http://127.0.0.1:1' },
        done: {},
      });
      expect(ran.code).toBe(2);
      expect(said(ran)).toEqual([expect.stringContaining(`${name} takes an exact version`)]);
    }
  }
});

test.each([
  [
    'a merge queue',
    ({ base, head }: { base: string; head: string }) => ({
      name: 'merge_group',
      payload: { merge_group: { base_sha: base, head_sha: head } },
    }),
  ],
  [
    'a push',
    ({ base, head }: { base: string; head: string }) => ({
      name: 'push',
      payload: { before: base, after: head, ref: 'refs/heads/topic', repository: { default_branch: 'main' } },
    }),
  ],
  [
    'the push of a new branch',
    ({ head }: { head: string }) => ({
      name: 'push',
      payload: {
        before: '0'.repeat(40),
        after: head,
        ref: 'refs/heads/topic',
        repository: { default_branch: 'main' },
      },
    }),
  ],
])('%s is reviewed', async (_, event) => {
  const { code, outputs, base, head } = await runJob({ event, inputs: rules });
  expect({ code, input: readResult(outputs['result']).input }).toMatchObject({
    code: 0,
    input: { base, head },
  });
});

test('another event needs a base, and a base by name is fetched', async () => {
  const ran = await runJob({ event: schedule, inputs: rules });
  expect({ code: ran.code, said: said(ran) }).toEqual({
    code: 2,
    said: ['error: the event schedule names no change: give the input base, for example base: main'],
  });
  const { code, outputs, base } = await runJob({ event: schedule, inputs: { ...rules, base: 'main' } });
  expect({ code, input: readResult(outputs['result']).input }).toMatchObject({ code: 0, input: { base } });
});

test('the installed version is that of the action, whatever registries the checkout configures', async () => {
  const folder = scratchFolder();
  const registry = await startRegistryServer(packagesOf(await installPackedCollab(), folder));
  onTestFinished(registry.close);
  const ran = await runJob({
    inputs: rules,
    env: { npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache') },
    done: {},
    prepare: (workspace) => writeFileSync(join(workspace, '.npmrc'), 'registry=http://127.0.0.1:1/\n'),
  });
  expect(ran.log).toContain('clean');
  expect(ran).toMatchObject({ code: 0, outputs: { outcome: 'clean' } });
  expect(registry.asked()).toContain('codex-collab');
  expect(registry.asked()).not.toContain('@openai/codex');
});

test('Codex is installed if a key is given, and a registry without it is red', async () => {
  const registry = await startRegistryServer([]);
  onTestFinished(registry.close);
  const ran = await runJob({
    inputs: { 'codex-api-key': 'sk-loopback' },
    env: { npm_config_registry: registry.url, npm_config_cache: join(scratchFolder(), 'cache') },
    done: {},
  });
  expect(ran.code).toBe(2);
  expect(registry.asked()).toContain('@openai/codex');
  expect(said(ran)).toEqual([
    expect.stringMatching(/^error: codex-collab@.* and @openai\/codex@.* could not be installed/),
  ]);
  expect(ran.log).not.toContain('sk-loopback');
});

/** Our package as it was packed, and its dependencies, packed again. */
function packagesOf({ folder: consumer, tarball: ours }: PackedCollab, destination: string) {
  const lock = z
    .object({ packages: z.record(z.string(), z.unknown()) })
    .parse(JSON.parse(readFileSync(join(consumer, 'package-lock.json'), 'utf8')));
  return Object.keys(lock.packages)
    .filter((path) => existsSync(join(consumer, path, 'package.json')) && path !== '')
    .map((path) => {
      const manifest = manifestSchema.parse(
        JSON.parse(readFileSync(join(consumer, path, 'package.json'), 'utf8')),
      );
      if (path === 'node_modules/codex-collab') return { manifest, tarball: ours };
      const tarball = join(destination, `${manifest.name.replaceAll('/', '-')}.tgz`);
      execFileSync('tar', [
        '-czf',
        tarball,
        '-C',
        join(consumer, path),
        '--transform',
        's,^[.],package,',
        '.',
      ]);
      return { manifest, tarball };
    });
}

const manifestSchema = z.looseObject({ name: z.string(), version: z.string() });
