import { expect, test } from 'vitest';
import { apiOf, readPullRequestUrl, readRemoteAddress, repositoryOfJob } from './addresses.ts';

const github = (repository: string, server = 'https://github.com') => ({
  forge: 'github',
  server,
  repository,
});
const gitlab = (repository: string, server = 'https://gitlab.com') => ({
  forge: 'gitlab',
  server,
  repository,
});

test.each([
  ['https://github.com/shop/till/pull/7', { ...github('shop/till'), number: 7 }],
  ['https://github.com/shop/till/pull/7/files?w=1#r2', { ...github('shop/till'), number: 7 }],
  ['https://git.corp/shop/till/pull/7', { ...github('shop/till', 'https://git.corp'), number: 7 }],
  ['https://gitlab.com/a/b/c/-/merge_requests/12/diffs', { ...gitlab('a/b/c'), number: 12 }],
  ['http://127.0.0.1:8080/shop/till/pull/7', { ...github('shop/till', 'http://127.0.0.1:8080'), number: 7 }],
  ['https://github.com/shop/till/pulls', null],
  ['https://github.com/shop/till/pull/07', null],
  ['https://github.com/shop/till/pull/99999999999', null],
  ['https://github.com/shop/till/issues/7', null],
  ['https://user:secret@github.com/shop/till/pull/7', { ...github('shop/till'), number: 7 }],
  ['https://', null],
  ['main', null],
])('the page %s is that pull request', (words, name) => {
  expect(readPullRequestUrl(words)).toEqual(name);
});

test('a page that is not encrypted is refused, because a token would be sent in the clear', () => {
  expect(() => readPullRequestUrl('http://github.com/shop/till/pull/7')).toThrow(
    'http://github.com is not encrypted',
  );
});

test.each([
  ['https://github.com/shop/till.git', github('shop/till')],
  ['https://user@github.com/shop/till', github('shop/till')],
  ['git@github.com:shop/till.git', github('shop/till')],
  ['ssh://git@github.com:22/shop/till.git', github('shop/till')],
  ['http://github.com/shop/till', github('shop/till')],
  ['git@gitlab.com:a/b/c.git', gitlab('a/b/c')],
  ['https://gitlab.corp/a/b', gitlab('a/b', 'https://gitlab.corp')],
  ['https://github.com/shop/till/more', null],
  ['https://git.corp/shop/till', null],
  ['git@evil.example:shop/till.git', null],
  ['/srv/git/till.git', null],
  ['../till', null],
  ['file:///srv/till.git', null],
  ['ext::sh -c x', null],
  ['https://github.com/shop/../till', null],
  ['git@github.com:../../till', null],
  ['ssh:///shop/till', null],
  ['https://github.com/shop', null],
  ['ssh://git@github.com:22/shop/till.git', github('shop/till')],
])('the remote %s is that repository', (address, repository) => {
  expect(readRemoteAddress(address, {})).toEqual(repository);
});

test('a host of the user’s own is known by the environment, or by the kind that is asked for', () => {
  const address = 'git@git.corp:shop/till.git';
  const own = 'https://git.corp';
  expect(readRemoteAddress(address, { GH_HOST: 'git.corp' })).toEqual(github('shop/till', own));
  expect(readRemoteAddress(address, { GITLAB_HOST: own })).toEqual(gitlab('shop/till', own));
  expect(readRemoteAddress(address, {}, 'gitlab')).toEqual(gitlab('shop/till', own));
});

test('a CI job is about its own repository', () => {
  const actions = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'shop/till' };
  expect(repositoryOfJob(actions)).toEqual(github('shop/till'));
  const pipeline = { CI_SERVER_URL: 'https://git.corp/', CI_PROJECT_PATH: 'fork/till' };
  const merged = { ...pipeline, CI_MERGE_REQUEST_PROJECT_PATH: 'shop/till' };
  expect(repositoryOfJob(pipeline)).toEqual(gitlab('fork/till', 'https://git.corp'));
  expect(repositoryOfJob(merged)).toEqual(gitlab('shop/till', 'https://git.corp'));
  expect(repositoryOfJob({})).toBeNull();
});

test('the address of the API of a job is used for the job’s own host only', () => {
  const env = { GITHUB_SERVER_URL: 'https://git.corp', GITHUB_API_URL: 'https://api.corp/v3/' };
  const at = (server: string) => apiOf({ forge: 'github', server, repository: 'shop/till' }, env);
  expect(at('https://git.corp')).toBe('https://api.corp/v3');
  expect(at('https://github.com')).toBe('https://api.github.com');
  expect(at('https://other.corp')).toBe('https://other.corp/api/v3');
  expect(apiOf({ forge: 'gitlab', server: 'https://gitlab.com', repository: 'a/b' }, env)).toBe(
    'https://gitlab.com/api/v4',
  );
});
