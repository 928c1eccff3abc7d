import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
import { databaseFault } from '../../engine/postgres/connect.ts';
import { problemOfError } from './problem.ts';

test('a fault of the server’s files is logged, and no client gets a path of it', async () => {
  const reported: unknown[] = [];
  const answer = async (error: unknown) => {
    const response = problemOfError(error, (fault) => reported.push(fault));
    return [response.status, await response.json()];
  };
  const corrupt = new CollabError(
    'journal_corrupt',
    '/home/me/.collab/runs/1/journal.jsonl: line 3 is no JSON',
    {
      hint: 'collab clean 1',
    },
  );
  expect(await answer(corrupt)).toEqual(await answer(new Error('a bug')));
  expect(await answer(new CollabError('usage', 'there is no provider "x"'))).toMatchObject([
    422,
    { detail: 'there is no provider "x"' },
  ]);
  expect(reported).toEqual([corrupt, new Error('a bug')]);
});

test.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5432'],
  ['28P01', 'password authentication failed for user "collab"'],
  ['3D000', 'database "runs" does not exist'],
  ['42P01', 'relation "collab.run" does not exist'],
  ['42501', 'permission denied for table run'],
])('a fault %s of the database is 503 in fixed words, and its text is only logged', async (code, text) => {
  const fault = databaseFault(Object.assign(new Error(text), { code }));
  const reported: unknown[] = [];
  const response = problemOfError(fault, (error) => reported.push(error));
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The database is out of reach',
    },
  ]);
  expect(reported).toEqual([fault]);
});

test('a body that was cut off is the fault of the request, and is not reported', async () => {
  const cut = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  const response = problemOfError(cut, () => expect.unreachable());
  expect([response.status, await response.json()]).toMatchObject([400, { detail: 'The body was cut off' }]);
});

test('a full queue is 429 with the time after which it has room', async () => {
  const details = { retry_after_seconds: 40 };
  const error = new CollabError('queue_full', 'The queue is full', { hint: 'Try again in 40 s.', details });
  const response = problemOfError(error, () => expect.unreachable());
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '40']);
  expect(await response.json()).toMatchObject({ detail: 'The queue is full', hint: 'Try again in 40 s.' });
});
