import { expect, test } from 'vitest';
import type { Fault, ForgeServerAnswer, ForgeServerRequest } from '../../../test/forge/forge-server.ts';
import { headOf } from '../round/rounds.test-helper.ts';
import { pullWith, roundOnGithub } from './github-rounds.test-helper.ts';
import { withFaultAt, first, requestsOfARound, expectWhole, isGraphql } from './github-faults.test-helper.ts';

const isChecks = ({ method, path }: ForgeServerRequest): boolean =>
  method === 'GET' && path.endsWith('/check-runs');
/** The answer to the first GraphQL request of a round. */
const threadsAnswer = (reviewThreads: Readonly<Record<string, unknown>>): ForgeServerAnswer => ({
  status: 200,
  body: { data: { repository: { pullRequest: { headRefOid: headOf(1), reviewThreads } } } },
});

test('the round of these tests has a request of each kind', async () => {
  const { pull, again } = await withFaultAt(0, { answer: 'reset' });
  const before = pull.requests().length;
  await again();
  expect(pull.requests()).toHaveLength(before + requestsOfARound);
  expectWhole(pull, 0);
});

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
