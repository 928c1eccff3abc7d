import { expect, test } from 'vitest';
import type { Fault, ForgeServerAnswer, ForgeServerRequest } from '../../../test/forge/forge-server.ts';
import type { GithubPull } from '../../../test/forge/github-pull.ts';
import type { RoundOfSix } from '../round/six-rounds.test-helper.ts';
import { findingOn, headOf } from '../round/rounds.test-helper.ts';
import { pullWith, roundOnGithub, shownThreads, summaryOf } from './github-rounds.test-helper.ts';

const lines = ['export function till(cash: number) {', '  eval(String(cash));', '  return cash;', '}'];
const finding = (line: number, title: string) =>
  findingOn({ path: 'a.ts', line, quote: lines[line - 1] ?? '', title });
const first: RoundOfSix = { files: { 'a.ts': lines }, found: [finding(2, 'eval'), finding(3, 'cash')] };
/** One finding is gone, one is still there, one is new: a round with every kind of request. */
const second: RoundOfSix = {
  files: { 'a.ts': [lines[0] ?? '', ...lines.slice(2)] },
  found: [{ ...finding(3, 'cash'), start_line: 2, end_line: 2 }, { ...finding(1, 'till') }],
};
const after = ['a.ts:2 eval (resolved)', 'a.ts:3 cash', 'a.ts:1 till'];
const requestsOfARound = 11;

const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}) => ({
  status,
  headers,
  body: { message },
});
const isChecks = ({ method, path }: ForgeServerRequest): boolean =>
  method === 'GET' && path.endsWith('/check-runs');
const isGraphql = ({ path }: ForgeServerRequest): boolean => path.endsWith('/graphql');
const graphqlError = (error: Readonly<Record<string, unknown>>): ForgeServerAnswer => ({
  status: 200,
  body: { data: null, errors: [error] },
});
/** The answer to the first GraphQL request of a round. */
const threadsAnswer = (reviewThreads: Readonly<Record<string, unknown>>): ForgeServerAnswer => ({
  status: 200,
  body: { data: { repository: { pullRequest: { headRefOid: headOf(1), reviewThreads } } } },
});
const unfinished = 'Something went wrong while executing your query. This may be the result of a timeout.';

interface Case extends Pick<Fault, 'answer' | 'isDone'> {
  readonly of?: (request: ForgeServerRequest) => boolean;
}

/** Publishes the first round, and the second one with a fault at one of its requests. */
async function withFaultAt(at: number, { answer, isDone = false, of = () => true }: Case) {
  let count = -Infinity;
  let failed: ForgeServerRequest | null = null;
  const when = (request: ForgeServerRequest): boolean => {
    count += 1;
    if (count !== at || !of(request)) return false;
    failed = request;
    return true;
  };
  const pull = await pullWith(first.files, { pageSize: 50, faults: [{ answer, isDone, when }] });
  await roundOnGithub(pull, 1, first);
  count = 0;
  const waits: string[] = [];
  const again = () => roundOnGithub(pull, 2, second, { tellWait: (line) => void waits.push(line) });
  return { pull, again, waits, failed: () => failed };
}

function expectWhole(pull: GithubPull, at: number): void {
  expect([at, ...shownThreads(pull)]).toEqual([at, ...after]);
  expect(summaryOf(pull)).toContain('1 new, 1 still there, 1 fixed');
  expect(pull.checks()).toHaveLength(2);
  expect(pull.statuses()).toEqual([]);
}

test('the round of these tests has a request of each kind', async () => {
  const { pull, again } = await withFaultAt(0, { answer: 'reset' });
  const before = pull.requests().length;
  await again();
  expect(pull.requests()).toHaveLength(before + requestsOfARound);
  expectWhole(pull, 0);
});

const passing: readonly (readonly [string, Case])[] = [
  ['a limit with a time', { answer: refusal(429, 'Too many requests', { 'retry-after': '2' }) }],
  [
    'a secondary limit with a time',
    { answer: refusal(403, 'You have exceeded a secondary rate limit', { 'retry-after': '30' }) },
  ],
  ['a secondary limit without a time', { answer: refusal(403, 'You have exceeded a secondary rate limit') }],
  [
    'a limit that is used up',
    {
      answer: refusal(403, 'API rate limit exceeded', {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '20',
      }),
    },
  ],
  ['a failure of the server', { answer: refusal(502, 'Bad gateway') }],
  ['a failure of the server after the request had its effect', { answer: refusal(500, ''), isDone: true }],
  ['a reset', { answer: 'reset' }],
  ['a reset after the request had its effect', { answer: 'reset', isDone: true }],
  ['a GraphQL limit', { answer: graphqlError({ type: 'RATE_LIMITED', message: 'limit' }), of: isGraphql }],
  ['a GraphQL request that takes too long', { answer: graphqlError({ message: unfinished }), of: isGraphql }],
  [
    'a GraphQL request that takes too long and has its effect',
    { answer: graphqlError({ message: unfinished }), isDone: true, of: isGraphql },
  ],
];

test.each(passing)(
  '%s at any request is waited for, with a line, and leaves the same',
  { timeout: 120_000 },
  async (_, fault) => {
    for (let at = 1; at <= requestsOfARound; at += 1) {
      const { pull, again, waits, failed } = await withFaultAt(at, fault);
      expect(await again()).toMatchObject({ published: true, round: 2, evidence: 'check run' });
      expectWhole(pull, at);
      expect([at, waits.length]).toEqual([at, failed() === null ? 0 : 1]);
    }
  },
);

const lasting: readonly (readonly [string, Case, string])[] = [
  ['a token that ends', { answer: refusal(401, 'Bad credentials') }, 'auth'],
  [
    'a limit that ends in an hour',
    {
      answer: refusal(403, 'API rate limit exceeded', {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '3600',
      }),
    },
    'rate_limit',
  ],
];

test.each(lasting)(
  '%s at any request ends the round at once; the next process completes it',
  { timeout: 120_000 },
  async (_, fault, code) => {
    for (let at = 1; at <= requestsOfARound; at += 1) {
      const { pull, again, waits, failed } = await withFaultAt(at, fault);
      const ended = await again().catch((error: unknown) => error);
      expect(failed()).not.toBeNull();
      // A refused resolve becomes a reply, and a refused check run a status: the host answers the same for a right that is missing.
      const isForARight = code === 'auth' && [6, 10, 11].includes(at);
      expect(ended).toMatchObject(isForARight ? { published: true } : { code });
      expect(waits).toEqual([]);
      await again();
      expect(new Set(shownThreads(pull).map((one) => one.replace(/ \+1$/, '')))).toEqual(new Set(after));
      summaryOf(pull);
    }
  },
);

const thread = (id: string, nodes: readonly null[] | null) => ({
  id,
  isResolved: false,
  comments: { pageInfo: { hasNextPage: false }, nodes },
});

test('nodes that GraphQL could not read are left out', async () => {
  const nodes = [null, thread('a', [null]), thread('b', null)];
  const answer = threadsAnswer({ pageInfo: { hasNextPage: false, endCursor: null }, nodes });
  const pull = await pullWith(first.files, { faults: [{ when: isGraphql, answer }] });
  expect(await roundOnGithub(pull, 1, first)).toMatchObject({ published: true, counts: { posted: 2 } });
});

test('a list of check runs in an unknown form is an error: no second check run is written', async () => {
  const answer = { status: 200, body: { total_count: 1, check_runs: [{ id: 'seven' }] } };
  const faults = [1, 2].map(() => ({ when: isChecks, answer }));
  const pull = await pullWith(first.files, { faults });
  await expect(roundOnGithub(pull, 1, first)).rejects.toMatchObject({ code: 'protocol' });
  expect([pull.checks(), pull.statuses()]).toEqual([[], []]);
});

test('the check run of a result is written again, though more than 100 others are on its head', async () => {
  const pull = await pullWith(first.files, { pageSize: 50 });
  const other = { name: 'collab', head_sha: headOf(1), external_id: 'another', status: 'completed' };
  const body = JSON.stringify({ ...other, conclusion: 'success', output: { title: 'a', summary: 'b' } });
  const headers = { 'content-type': 'application/json' };
  const address = `${pull.url}/api/v3/repos/shop/till/check-runs`;
  for (let count = 0; count < 120; count += 1) await fetch(address, { method: 'POST', headers, body });
  for (const _ of [1, 2]) await roundOnGithub(pull, 1, first);
  expect(pull.checks()).toHaveLength(121);
});

test('a thread with more comments and no place to read on from is an error: its replies are not read twice', async () => {
  let shown: ForgeServerAnswer | null = null;
  const fault: Fault = {
    when: (request) => shown !== null && isGraphql(request),
    get answer() {
      return shown ?? 'reset';
    },
  };
  const pull = await pullWith(first.files, { faults: [fault], pageSize: 50 });
  await roundOnGithub(pull, 1, first);
  const [own] = pull.threads();
  const { id: at = 0, body = '' } = own?.comments[0] ?? {};
  const comment = { fullDatabaseId: String(at), body, url: 'https://h/1', viewerDidAuthor: true };
  const comments = { pageInfo: { hasNextPage: true, endCursor: null }, nodes: [comment] };
  const nodes = [{ id: own?.id, isResolved: false, comments }];
  shown = threadsAnswer({ pageInfo: { hasNextPage: false, endCursor: null }, nodes });
  await expect(roundOnGithub(pull, 1, first)).rejects.toMatchObject({ code: 'protocol' });
  expect(pull.reviews()).toHaveLength(1);
});

test('a GraphQL list without an end is an error', async () => {
  const answer = threadsAnswer({ pageInfo: { hasNextPage: true, endCursor: 'same' }, nodes: [] });
  const faults = Array.from({ length: 60 }, () => ({ when: isGraphql, answer }));
  const pull = await pullWith(first.files, { faults });
  await expect(roundOnGithub(pull, 1, first)).rejects.toMatchObject({
    code: 'input',
    message: 'GitHub lists more under repos/shop/till/pulls/7 than collab reads',
  });
  expect(pull.reviews()).toEqual([]);
});
