/** The check of the loopback GitHub by GitHub's own descriptions: what it must notice. */
import { expect, test } from 'vitest';
import { checkGithub } from './check-github.ts';
import { startForgeServer, type ForgeServerAnswer, type ForgeServerRequest } from './forge-server.ts';
import { issueCommentOf, pullRequestOf, statusOf } from './github-objects.ts';

function request(line: string, body: unknown = null, accept?: string): ForgeServerRequest {
  const [method = '', address = ''] = line.split(' ');
  const url = new URL(address, 'http://loopback/');
  return { method, path: url.pathname, query: url.searchParams, headers: { accept }, body };
}

const root = '/api/v3/repos/shop/till';
const facts = { number: 7, title: 'Add a till', body: null, draft: false, base: 'a', head: 'b' };
const pull: ForgeServerAnswer = { status: 200, body: pullRequestOf(facts) };
const comment: ForgeServerAnswer = {
  status: 201,
  body: issueCommentOf({ id: 1, body: 'a', author: 'anna' }),
};
const status: ForgeServerAnswer = {
  status: 201,
  body: statusOf(1, { state: 'success', description: 'a', context: 'collab' }),
};
const forbidden: ForgeServerAnswer = { status: 403, body: { message: 'Resource not accessible' } };

test.each<[string, ForgeServerRequest, ForgeServerAnswer]>([
  ['a pull request', request(`GET ${root}/pulls/7`), pull],
  [
    'a diff',
    request(`GET ${root}/pulls/7`, null, 'application/vnd.github.diff'),
    { status: 200, body: 'diff --git' },
  ],
  ['a comment', request(`POST ${root}/issues/7/comments`, { body: 'a' }), comment],
  ['a status', request(`POST ${root}/statuses/abc`, { state: 'success', context: 'collab' }), status],
  ['a refusal that is not described', request(`GET ${root}/commits/abc/check-runs?per_page=100`), forbidden],
])('%s as GitHub describes it has no difference', (_, sent, answer) => {
  expect(checkGithub(sent, answer)).toEqual([]);
});

test.each<[string, ForgeServerRequest, ForgeServerAnswer, string]>([
  ['an unknown address', request(`GET ${root}/pull/7`), pull, 'GitHub has no GET /repos/shop/till/pull/7'],
  ['an unknown method', request(`PUT ${root}/pulls/7`), pull, 'GitHub has no PUT'],
  [
    'an unknown field',
    request(`POST ${root}/issues/7/comments`, { body: 'a', x: 1 }),
    comment,
    'the body has no x',
  ],
  [
    'a wrong field',
    request(`POST ${root}/issues/7/comments`, { body: 7 }),
    comment,
    'the body /body must be string',
  ],
  [
    'a missing field',
    request(`POST ${root}/issues/7/comments`, {}),
    comment,
    "must have required property 'body'",
  ],
  [
    'a wrong value',
    request(`POST ${root}/statuses/abc`, { state: 'failed' }),
    status,
    'the body /state must be equal',
  ],
  ['a body that is not there', request(`GET ${root}/pulls/7`, { body: 'a' }), pull, 'takes no body'],
  ['an unknown part of the query', request(`GET ${root}/pulls/7?x=1`), pull, 'the query has no x'],
  [
    'a wrong part of the query',
    request(`GET ${root}/commits/abc/check-runs?page=a`),
    forbidden,
    'page must be integer',
  ],
  [
    'a thin answer',
    request(`POST ${root}/issues/7/comments`, { body: 'a' }),
    { status: 201, body: { html_url: 'a' } },
    "must have required property 'id'",
  ],
  [
    'a wrong answer',
    request(`GET ${root}/pulls/7`),
    { ...pull, body: { ...pullRequestOf(facts), locked: 'no' } },
    '/locked must be boolean',
  ],
  [
    'a wrong status',
    request(`POST ${root}/issues/7/comments`, { body: 'a' }),
    { ...comment, status: 200 },
    'has no answer 200',
  ],
])('%s is a difference', (_, sent, answer, difference) => {
  expect(checkGithub(sent, answer)).toContainEqual(expect.stringContaining(difference));
});

const query = `query ($name: String!) { repository(owner: "shop", name: $name) { pullRequest(number: 7) { headRefOid isDraft } } }`;
const ask = (text: string, variables: Readonly<Record<string, unknown>> = { name: 'till' }) =>
  request('POST /api/graphql', { query: text, variables });
const answered = (pullRequest: unknown): ForgeServerAnswer => ({
  status: 200,
  body: { data: { repository: { pullRequest } } },
});
const whole = answered({ isDraft: false, headRefOid: 'a' });

test('a query, its answer and a refusal as GitHub describes them have no difference', () => {
  expect(checkGithub(ask(query), whole)).toEqual([]);
  expect(checkGithub(ask(query), { status: 200, body: { errors: [{ message: 'no' }] } })).toEqual([]);
});

test.each<[string, ForgeServerRequest, ForgeServerAnswer, string]>([
  ['an unknown field', ask(query.replace('isDraft', 'isDrift')), whole, 'Cannot query field "isDrift"'],
  ['a wrong argument', ask(query.replace('7', '"7"')), whole, 'Int cannot represent'],
  ['a wrong variable', ask(query, { name: 7 }), whole, 'Variable "$name" got invalid value 7'],
  ['a missing variable', ask(query, {}), whole, 'Variable "$name" of required type'],
  [
    'a missing part of the answer',
    ask(query),
    answered({ isDraft: false }),
    'Cannot return null for non-nullable',
  ],
  [
    'a wrong part of the answer',
    ask(query),
    answered({ isDraft: 'no', headRefOid: 'a' }),
    'Boolean cannot represent',
  ],
  [
    'a part too many',
    ask(query),
    answered({ isDraft: true, headRefOid: 'a', x: 1 }),
    'and the query asks for',
  ],
  ['no data', ask(query), { status: 200, body: {} }, 'neither data nor errors'],
])('%s is a difference of GraphQL', (_, sent, answer, difference) => {
  expect(checkGithub(sent, answer)).toContainEqual(expect.stringContaining(difference));
});

test('a loopback whose requests or answers differ cannot be closed without an error', async () => {
  const server = await startForgeServer({
    check: checkGithub,
    answer: () => ({ status: 200, body: { id: 7 } }),
  });
  await fetch(`${server.url}${root}/pulls/7`);
  await expect(server.close()).rejects.toThrow(/differ:\nGET \/repos\/shop\/till\/pulls\/7: the answer 200/);
});
