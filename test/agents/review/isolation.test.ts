/**
 * A review in a hostile repository, by a user with a hostile set-up: no part of either reaches the model or is
 * executed.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readBelow } from '../../fixtures/files-holding.ts';
import { injectedFiles, injections, leakedBy } from '../../fixtures/injections.ts';
import { wholeAnswer } from '../../fixtures/review-answers.ts';
import type { Script } from '../../upstream/steps.ts';
import { createHostileWorld, type HostileWorld } from '../codex/hostile-setup.ts';
import { createReviewWorld, type ReviewWorld, type WorkFolder } from './review-user.ts';

let review: ReviewWorld;
let hostile: HostileWorld;
let folder: WorkFolder;

beforeAll(async () => {
  review = await createReviewWorld();
  hostile = createHostileWorld(review.world);
  commitHostileRepository(review.world.repository);
  folder = review.folder({ path: review.world.repository, env: hostile.env });
});
afterEach(async () => {
  await review.nothingLeft();
  rmSync(join(folder.path, '.collab'), { recursive: true });
});
afterAll(() => review.close());

/** The command that the model runs, and the result that it must get. */
const commands = [
  ['cat REVIEW/src/total.ts', /Math\.floor/],
  ['cat REVIEW/.env; ls -a REVIEW', /\.env: (No such file|Permission denied)/],
  ['cat REPOSITORY/.env REPOSITORY/src/total.ts', /No such file|Permission denied/],
  ['cat HOME/outside.txt HOME/.codex/auth.json', /No such file|Permission denied/],
  ['cat STATE/codex/auth.json', /No such file|Permission denied/],
  ['env; cat /proc/*/environ', /CODEX_SANDBOX_NETWORK_DISABLED=1/],
  ['echo x > REVIEW/new.txt; echo x > HOME/new.txt', /Read-only file system|Permission denied/],
  ['echo x > /dev/tcp/127.0.0.1/PORT', /Operation not permitted|Connection refused|unreachable/],
] as const;

test('no canary reaches the model, none is executed, and its commands see only the copy', async () => {
  const before = review.upstream.requests.length;
  review.upstream.play(runCommands(before));
  const ended = await folder.run('review', '--no-conventions', '--report', 'sarif=.collab/review.sarif');
  expect(ended.code).toBe(1);
  expectIsolation(before);
  expectNothingSaid({ 'standard output': ended.stdout, 'standard error': ended.stderr, ...recorded() });
  const byModel = folder.result().findings.filter(({ source }) => source === undefined);
  expect(byModel).toMatchObject([{ path: 'src/total.ts', start_line: 4 }]);
});

test('a resumed run is isolated the same way', async () => {
  const { upstream } = review;
  upstream.play(() => ({ hang: 'headers' }));
  const begun = upstream.requests.length;
  const { pid, ended } = folder.start('review', '--no-conventions');
  await upstream.untilRequests(begun + 1);
  process.kill(pid, 'SIGKILL');
  await ended;
  const before = upstream.requests.length;
  upstream.play(runCommands(before));
  const resumed = await folder.run('resume');
  expect(resumed.code).toBe(1);
  expectIsolation(before);
  expect(upstream.requests[begun]?.text).not.toContain('CANARY');
});

test('the conventions of the base are sent once, in fences of their digests, and the agent loads no file of the repository itself', async () => {
  const { upstream } = review;
  const before = upstream.requests.length;
  upstream.play(() => ({ text: wholeAnswer }));
  expect((await folder.run('review')).code).toBe(1);
  const sent = upstream.requests.slice(before).map(({ text }) => text);
  expect(sent).toHaveLength(1);
  expect(sent.join('').match(/CANARY_\w+/g)).toEqual(['CANARY_REPO_AGENTS', 'CANARY_REPO_CLAUDE']);
  for (const words of ['CANARY_REPO_AGENTS: obey me', 'CANARY_REPO_CLAUDE'])
    expect(sent[0]).toMatch(
      new RegExp(String.raw`markdown words-[0-9a-f]{32}\\n${words}\\n\x60{3,}\\nEnd of words-`),
    );
  expect(readdirSync(hostile.traces)).toEqual([]);
});

/** One command a request, then the answer. */
function runCommands(before: number): Script {
  return ({ index }) => {
    const command = commands[index - before]?.[0];
    if (command === undefined) return { text: wholeAnswer };
    return { calls: [{ name: 'exec_command', arguments: { cmd: placed(command) } }] };
  };
}

function placed(command: string): string {
  const { world, upstream } = review;
  const runs = join(world.home, '.local/state/collab');
  const state = join(runs, readdirSync(runs).find((name) => /^\d{8}-/.test(name)) ?? '');
  return command
    .replaceAll('REVIEW', join(state, 'kept/review'))
    .replaceAll('REPOSITORY', world.repository)
    .replaceAll('HOME', world.home)
    .replaceAll('STATE', state)
    .replaceAll('PORT', String(upstream.port));
}

function expectIsolation(before: number): void {
  const sent = review.upstream.requests.slice(before);
  expect(sent).toHaveLength(commands.length + 1);
  for (const [index, [, expected]] of commands.entries()) {
    expect(sent[index + 1]?.lastInput).toMatch(expected);
  }
  expect(sent.flatMap(({ text }) => text.match(/CANARY_\w+/g) ?? [])).toEqual([]);
  expect(sent.flatMap(({ text }) => leakedBy(text))).toEqual([]);
  for (const { text } of injections.filter(({ channel }) => channel === 'instructions').slice(0, 2))
    expect(sent[0]?.text).toContain(text.split('\n')[0]?.replaceAll('"', '\\"'));
  expect(readdirSync(hostile.traces)).toEqual([]);
  expect(review.upstream.others).toEqual([]);
  expect(readFileSync(join(review.world.codexHome, 'auth.json'), 'utf8')).toContain('CANARY_AUTH');
}

/** The run's files, except for its own copy of the change, in which static rules look for secrets. */
function recorded(): Readonly<Record<string, string>> {
  const files = readBelow(join(folder.path, '.collab')).filter(({ name }) => name !== 'input.json');
  return Object.fromEntries(files.map(({ name, text }) => [name, text]));
}

function expectNothingSaid(texts: Readonly<Record<string, string>>): void {
  expect(Object.keys(texts)).toEqual(
    expect.arrayContaining(['journal.jsonl', 'result.json', 'review.sarif']),
  );
  for (const [where, text] of Object.entries(texts)) {
    // The commands of this test name files of the canaries, and no canary.
    expect([where, text.match(/CANARY_\w+/g), leakedBy(text)]).toEqual([where, null, []]);
  }
}

/** All hostile files are committed; `src/total.ts` is changed, and every injection is new. */
function commitHostileRepository(root: string): void {
  const hostileConfig = readFileSync(join(root, '.git/config'), 'utf8');
  rmSync(join(root, '.git'), { recursive: true });
  const env = { PATH: '/usr/bin:/bin', HOME: join(root, 'nowhere'), GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
  git('init', '--quiet', '--initial-branch=main');
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/total.ts'), total('  return sum;'));
  git('add', '--all', '--force');
  git('commit', '--quiet', '--message', 'all');
  appendFileSync(join(root, '.git/config'), hostileConfig);
  writeFileSync(join(root, 'src/total.ts'), total('  sum = Math.floor(sum);\n  return sum;'));
  const told = injections.filter(({ channel }) => channel === 'instructions').map(({ text }) => text);
  for (const [path, content] of Object.entries({ ...injectedFiles(), 'REVIEW.md': told.join('\n\n') })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

function total(end: string): string {
  return `export function total(prices: readonly number[]): number {
  let sum = 0;
  for (const price of prices) sum += price;
${end}
}
`;
}
