import { expect, test } from 'vitest';
import { z } from 'zod';
import { explainIssues } from './explain-issues.ts';

const schema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('review'), input: z.string().optional() }),
  z.strictObject({ kind: z.literal('run'), task: z.string() }),
]);

function explained(value: unknown) {
  const { error } = schema.safeParse(value, { reportInput: true });
  return explainIssues(schema, error?.issues ?? [], 'the body').map(({ message, hint }) => [message, hint]);
}

test('a key of another kind is unknown, and the hint lists the keys of this kind', () => {
  expect(explained({ kind: 'run', task: 'x', input: 'y' })).toEqual([
    ['unknown key input', 'Known here: kind, task'],
  ]);
});

test('a misspelled key is explained by the nearest one of its own kind', () => {
  expect(explained({ kind: 'review', inputs: 'y' })).toEqual([['unknown key inputs', 'Did you mean input?']]);
});

test('a key that a pattern refuses has no hint: there is no list of keys', () => {
  const rules = z.record(z.string().regex(/^[a-z]+$/), z.string());
  const { error } = rules.safeParse({ 'a*': 'x' }, { reportInput: true });
  expect(explainIssues(rules, error?.issues ?? [], 'the rules')).toEqual([
    { path: [], key: 'a*', message: 'unknown key a*', hint: null },
  ]);
});
