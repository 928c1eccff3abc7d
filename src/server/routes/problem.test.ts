import { expect, test } from 'vitest';
import { CollabError } from '../../errors/collab-error.ts';
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
