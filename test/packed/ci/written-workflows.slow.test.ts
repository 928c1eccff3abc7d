/** The workflows of `collab init --ci`, run as they are written: what each job has, and what reaches the pull request. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { advises, issue, leads, review, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { startGithubPull, type GithubPull } from '../../forge/github-pull.ts';
import { test, type Place } from '../place.ts';
import { runWorkflow, type RanJob } from './run-workflow.ts';

const faulty = 'export const one = 0;';
const rest = 'export const two = 3;';
/** Each of these would make a file `pwned` if a shell read it. */
const branch = 'a"$(touch${IFS}pwned)`touch${IFS}pwned`\'b;touch';
const shellWords = '"; touch pwned; $(touch pwned) `touch pwned` \' && touch pwned #';

interface World {
  readonly place: Place;
  readonly pull: GithubPull;
  readonly head: string;
  readonly base: string;
  readonly run: (
    workflow: string,
    event: object,
    more?: { readonly isFork?: boolean },
  ) => Promise<Readonly<Record<string, RanJob>>>;
}

const keys = {
  CODEX_API_KEY: 'key-of-codex',
  ANTHROPIC_API_KEY: 'key-of-claude',
  COLLAB_CACHE_KEY: 'a long random word',
};

async function startWorld(place: Place, fork = false): Promise<World> {
  place.git('init', '--quiet');
  place.write('src/one.js', `${rest}\n`);
  await place.collab(['init', '--ci']);
  place.git('add', '--all');
  place.git('commit', '--quiet', '--message', 'base');
  const base = place.git('rev-parse', 'HEAD').trim();
  place.git('checkout', '--quiet', '-b', branch);
  place.write('src/one.js', `${faulty}\n${rest}\n`);
  place.git('commit', '--quiet', '--all', '--message', shellWords);
  const head = place.git('rev-parse', 'HEAD').trim();
  const pull = await startGithubPull({
    head,
    base,
    diff: place.git('diff', `${base}...${head}`),
    files: { 'src/one.js': { text: `${faulty}\n${rest}\n`, mode: '100644' } },
    permissions: { anna: 'write', reader: 'read' },
    pageSize: 50,
    fork,
  });
  onTestFinished(() => pull.close());
  const programs = putPrograms(place);
  let count = 0;
  return {
    place,
    pull,
    head,
    base,
    run(workflow, event, { isFork = false } = {}) {
      count += 1;
      const root = join(place.folder, '..', `workflow-${count}`);
      mkdirSync(root);
      return runWorkflow({
        workflow: place.read(`.github/workflows/${workflow}`),
        event,
        secrets: isFork ? {} : keys,
        token: pull.env['GITHUB_TOKEN'] ?? '',
        origin: place.folder,
        root,
        env: {
          PATH: [programs, process.env['PATH']].join(delimiter),
          GITHUB_SERVER_URL: pull.env['GITHUB_SERVER_URL'] ?? '',
          GITHUB_ACTIONS: 'true',
        },
      });
    },
  };
}

/** Puts the installed command, with rehearsed agents in place of the vendors' ones, and an npm that installs nothing. */
function putPrograms(place: Place): string {
  const folder = join(place.folder, '..', 'programs');
  mkdirSync(folder);
  const script = join(folder, 'pair.yaml');
  writeFileSync(script, stringify(agents));
  const real = `'${process.execPath}' '${place.command}'`;
  const collab = `#!/bin/bash
pair="rehearsal:${script}"
case "$1" in
  review) exec ${real} "$@" --advisor "$pair" ;;
  fix)
    args=()
    for word in "$@"; do [ "$word" = claude_code ] && word="$pair"; args+=("$word"); done
    exec ${real} "\${args[@]}" --advisor "$pair" ;;
  *) exec ${real} "$@" ;;
esac
`;
  for (const [name, text] of [
    ['collab', collab],
    ['npm', '#!/bin/sh\ncase "$*" in "install --global "*@*) ;; *) exit 1 ;; esac\n'],
  ] as const) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const agents = scriptOf(
  advises({ tag: '[REQUEST:REVIEW]', contains: 'Findings that the change is meant to fix' }, review('None'), {
    repeat: 'forever',
  }),
  advises({ tag: '[REQUEST:REVIEW]' }, review(issue('Important', 'one is zero', faulty)), {
    repeat: 'forever',
  }),
  leads({ work: 'implement' }, 'F1: fixed\n', {
    edits: [{ path: 'src/one.js', content: `export const one = 1;\nexport const two = 2;\n` }],
  }),
);

const pullEvent = ({ pull, base, head }: World, owner: string) => ({
  pull_request: {
    number: 7,
    html_url: `${pull.url}/shop/till/pull/7`,
    base: { sha: base },
    head: { sha: head, ref: branch, repo: { full_name: `${owner}/till` } },
    title: shellWords,
  },
});
/** `body` is the text in the event; the job reads the comment again. */
function commentEvent({ pull }: World, body: string, author: string) {
  return {
    issue: { number: 7, title: shellWords, pull_request: { html_url: `${pull.url}/shop/till/pull/7` } },
    comment: { id: pull.say(body, author), body, user: { login: author } },
  };
}

const results = (jobs: Readonly<Record<string, RanJob>>) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));
/** The secrets in the environments of each job. */
const secretsOf = (jobs: Readonly<Record<string, RanJob>>) =>
  Object.fromEntries(
    Object.entries(jobs).map(([name, { steps }]) => [name, steps.flatMap(({ secrets }) => secrets)]),
  );
const outputOf = (jobs: Readonly<Record<string, RanJob>>): string =>
  Object.values(jobs)
    .flatMap(({ steps }) => steps.map(({ name, exitCode, output }) => `== ${name} ${exitCode}\n${output}`))
    .join('\n');
const pwned = ({ place }: World): readonly string[] =>
  readdirSync(join(place.folder, '..'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?:^|\/)pwned$/.test(path),
  );

test(
  'a pull request: the job with the change has no token, the job with the token has only the result',
  { timeout: 300_000 },
  async ({ place, expect }) => {
    const world = await startWorld(place);
    const jobs = await world.run('collab.yml', pullEvent(world, 'shop'));
    expect([outputOf(jobs), world.pull.threads()]).toEqual([
      expect.stringContaining('shop/till#7, round 1: 1 comment posted'),
      [expect.objectContaining({ path: 'src/one.js', line: 1, commit: world.head })],
    ]);
    // A rehearsal is no model's review.
    expect(results(jobs)).toEqual({ review: 'failure', publish: 'success' });
    expect(secretsOf(jobs)).toEqual({
      review: ['CODEX_API_KEY'],
      publish: ['GITHUB_TOKEN', 'COLLAB_CACHE_KEY'],
    });
    expect(jobs['review']?.permissions).toEqual({ contents: 'read' });
    expect(readdirSync(join(jobs['publish']?.folder ?? '', 'workspace'))).toEqual(['review.json']);
    expect(pwned(world)).toEqual([]);
  },
);

test(
  'a pull request from a fork gets a review without secrets, and nothing is written on it',
  { timeout: 300_000 },
  async ({ place, expect }) => {
    const world = await startWorld(place, true);
    const jobs = await world.run('collab.yml', pullEvent(world, 'stranger'), { isFork: true });
    expect(results(jobs)).toEqual({ review: 'failure', publish: 'skipped' });
    expect(secretsOf(jobs)).toEqual({ review: [], publish: [] });
    expect(world.pull.calls()).toEqual([]);
    expect(pwned(world)).toEqual([]);
  },
);

test(
  'a comment asks for a review, then for a fix: each job has what it needs, and the fix is a branch beside the author’s',
  { timeout: 300_000 },
  async ({ place, expect }) => {
    const world = await startWorld(place);
    const { pull, head } = world;
    const reviewed = await world.run('collab-comments.yml', commentEvent(world, '/collab review', 'anna'));
    expect([outputOf(reviewed), results(reviewed)]).toEqual([
      expect.stringContaining('round 1: 1 comment posted'),
      { command: 'success', review: 'failure', publish: 'success', fix: 'skipped', publish_fix: 'skipped' },
    ]);
    const event = commentEvent(world, '/collab fix 1', 'anna');
    const fixed = await world.run('collab-comments.yml', event);
    expect([outputOf(fixed), results(fixed)]).toEqual([
      expect.stringContaining(`the fix of F1 is the branch collab/fix-1-${event.comment.id}`),
      { command: 'success', review: 'skipped', publish: 'skipped', fix: 'success', publish_fix: 'success' },
    ]);
    expect(secretsOf(fixed)).toEqual({
      command: ['GITHUB_TOKEN', 'COLLAB_CACHE_KEY'],
      review: [],
      publish: [],
      fix: ['CODEX_API_KEY', 'ANTHROPIC_API_KEY'],
      publish_fix: ['GITHUB_TOKEN', 'COLLAB_CACHE_KEY'],
    });
    expect(fixed['fix']?.permissions).toEqual({ contents: 'read' });
    expect(readdirSync(join(fixed['publish_fix']?.folder ?? '', 'workspace'))).toEqual(['fix.json']);
    expect(readdirSync(join(fixed['command']?.folder ?? '', 'workspace'))).toEqual([]);
    expect(pull.branches()).toMatchObject([
      { parents: [head], changed: { 'src/one.js': 'export const one = 1;\nexport const two = 2;\n' } },
    ]);
    expect(place.git('rev-parse', branch).trim()).toBe(head);
    expect(pwned(world)).toEqual([]);
  },
);

test(
  'comments without rights, with words for a shell, and on a fork change nothing but text',
  { timeout: 300_000 },
  async ({ place, expect }) => {
    const world = await startWorld(place, true);
    const { pull } = world;
    const others = { review: 'skipped', publish: 'skipped', fix: 'skipped', publish_fix: 'skipped' };
    for (const [body, author, answers] of [
      ['/collab review', 'reader', 0],
      ['/collab fix 1', 'stranger', 0],
      [`/collab review ${shellWords}`, 'anna', 1],
      [`/collab fix 1${shellWords}`, 'anna', 2],
      [`/collab dismiss 1 ${shellWords}`, 'anna', 3],
      [`/collab fix 1`, 'anna', 4],
    ] as const) {
      const jobs = await world.run('collab-comments.yml', commentEvent(world, body, author));
      expect([body, outputOf(jobs), results(jobs)]).toEqual([
        body,
        expect.any(String),
        { command: 'success', ...others },
      ]);
      const own = pull.comments().filter((one) => one.body.startsWith('<!-- collab:'));
      expect([body, own.length]).toEqual([body, answers]);
    }
    const jobs = await world.run('collab-comments.yml', commentEvent(world, 'thanks', 'anna'));
    expect(results(jobs)).toEqual({ command: 'skipped', ...others });
    expect([pull.threads(), pull.branches(), pwned(world)]).toEqual([[], [], []]);
    expect(existsSync(join(place.folder, 'pwned'))).toBe(false);
  },
);
