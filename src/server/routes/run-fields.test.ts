import { expect, test } from 'vitest';
import { owner } from '../../access/speaker.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { inFieldNames, requestOf, runFieldsSchema } from './run-fields.ts';

test.each([
  [{ diff: 'd' }, [{ kind: 'stdin', text: 'd' }]],
  [{ range: 'a..b' }, [{ kind: 'range', range: 'a..b' }]],
  [{ base: 'main' }, [{ kind: 'base', ref: 'main' }]],
  [{ staged: true }, [{ kind: 'staged' }]],
  [{ commit: 'abc1234' }, [{ kind: 'commit', sha: 'abc1234' }]],
  [{}, []],
])('the input %j of a review is its change', (input, changes) => {
  const fields = runFieldsSchema.parse({ kind: 'review', input });
  expect(requestOf(fields, { speaker: owner, token: null })).toMatchObject({
    wanted: { kind: 'start', request: { kind: 'review', changes } },
    files: [],
    skills: [],
  });
});

test('an error and its hint name the fields of the API, and no flag that is none', () => {
  const error = new CollabError('usage', 'either --base or --advisor', {
    hint: 'leave out --advisor or --no-color',
    details: { a: 1 },
  });
  expect(inFieldNames(error, { kind: 'review' })).toMatchObject({
    code: 'usage',
    message: 'either input.base or advisor',
    hint: 'leave out advisor or --no-color',
    details: { a: 1 },
  });
  const others = [new CollabError('usage', 'no'), new Error('a bug')];
  expect(others.map((other) => inFieldNames(other, { kind: 'review' }))).toMatchObject([
    { message: 'no', hint: null },
    others[1],
  ]);
});
