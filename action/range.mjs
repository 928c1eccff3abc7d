// Finds the two commits of a review from the event that started the job; fetches them if the clone lacks them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Refusal } from './runner.mjs';

const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Commits of history to fetch before fetching all of it. */
const depths = [100, 1000];

/** @returns `{ base, head }`, full commit ids that have a merge base in the clone at `folder` */
export function findRange({ folder, base: wanted, token }) {
  const event = JSON.parse(readFileSync(process.env['GITHUB_EVENT_PATH'], 'utf8'));
  const git = openClone(folder, token);
  const { base, head } = wanted === '' ? rangeOf(event, git) : { base: wanted, head: 'HEAD' };
  const found = {
    base: git.commit(base) ?? git.fetchNamed(base),
    head: git.commit(head) ?? git.fetchNamed(head),
  };
  reach(git, found);
  return found;
}

/** Returns true if a pull request comes from another repository: such a run gets no secrets. */
export function isFromFork() {
  const { pull_request: request } = JSON.parse(readFileSync(process.env['GITHUB_EVENT_PATH'], 'utf8'));
  return request !== undefined && request.head.repo?.full_name !== request.base.repo.full_name;
}

function rangeOf(event, git) {
  if (event.pull_request !== undefined) {
    return { base: id(event.pull_request.base.sha), head: id(event.pull_request.head.sha) };
  }
  if (event.merge_group !== undefined) {
    return { base: id(event.merge_group.base_sha), head: id(event.merge_group.head_sha) };
  }
  if (typeof event.before === 'string' && typeof event.after === 'string') return rangeOfPush(event, git);
  throw new Refusal(
    `the event ${process.env['GITHUB_EVENT_NAME']} names no change: give the input base, for example base: main`,
  );
}

/** The push of a new branch has no previous end: it is compared with the default branch. */
function rangeOfPush({ before, after, repository, ref }, git) {
  if (/^0+$/.test(after)) throw new Refusal('this push removes a branch: there is nothing to review');
  if (!/^0+$/.test(before)) return { base: id(before), head: id(after) };
  const branch = `refs/heads/${repository.default_branch}`;
  if (ref === branch)
    throw new Refusal(
      'the first push of the default branch has nothing to be compared with: give the input base',
    );
  return { base: git.fetchNamed(branch), head: id(after) };
}

function id(value) {
  if (commitId.test(value)) return value;
  throw new Refusal('the event names a commit without a valid id');
}

/** Fetches more and more history until the two have a common ancestor. */
function reach(git, { base, head }) {
  const isReached = () => git.run('merge-base', base, head).status === 0;
  if (isReached()) return;
  for (const depth of depths) {
    if (!git.isShallow()) break;
    git.fetch([`--depth=${depth}`], [base, head]);
    if (isReached()) return;
  }
  git.fetch(git.isShallow() ? ['--unshallow'] : [], [base, head]);
  if (!isReached()) throw new Refusal(`${base} and ${head} have no common ancestor: nothing can be compared`);
}

function openClone(folder, token) {
  const server = process.env['GITHUB_SERVER_URL'];
  const remote = `${server}/${process.env['GITHUB_REPOSITORY']}`;
  const clone = {
    run: (...args) => run(args, {}),
    commit(name) {
      const { status, stdout } = run(
        ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
        {},
      );
      return status === 0 ? stdout.trim() : null;
    },
    isShallow: () => run(['rev-parse', '--is-shallow-repository'], {}).stdout.trim() === 'true',
    fetchNamed(name) {
      if (name.startsWith('-')) throw new Refusal(`base takes a branch, a tag or a commit, not "${name}"`);
      clone.fetch(clone.isShallow() ? ['--depth=1'] : [], [name]);
      return clone.commit('FETCH_HEAD') ?? fail(`${name} is not a commit`);
    },
    /** Uses the clone's own login first: two in one request are rejected. */
    fetch(flags, names) {
      const args = [
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-recurse-submodules',
        ...flags,
        '--',
        remote,
        ...names,
      ];
      const plain = run(args, {});
      if (plain.status === 0) return;
      const authorised = token === '' ? plain : run(args, login(server, token));
      if (authorised.status !== 0) fail(authorised.stderr.trim());
    },
  };
  return clone;

  function run(args, env) {
    const settings = [
      'core.hooksPath=/dev/null',
      'core.fsmonitor=false',
      'protocol.ext.allow=never',
      'gc.auto=0',
      'http.followRedirects=false',
    ];
    const flags = settings.flatMap((setting) => ['-c', setting]);
    return spawnSync('git', [...flags, ...args], {
      cwd: folder,
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env },
      encoding: 'utf8',
    });
  }

  function fail(words) {
    throw new Refusal(
      `the clone at ${folder} lacks commits to compare, and they could not be fetched: ${words}; let actions/checkout fetch it (fetch-depth: 0), or give the input github-token`,
    );
  }
}

/** Passed in the environment: every process of the machine could read an argument. */
function login(server, token) {
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${server}/.extraheader`,
    GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
  };
}
