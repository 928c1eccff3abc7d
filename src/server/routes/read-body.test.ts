import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { problemOfError } from './problem.ts';
import { parseBody, readOptionalJson } from './read-body.ts';

const app = new Hono().post('/', async (context) =>
  context.json(await readOptionalJson(context, z.strictObject({ run_id: z.string().optional() }))),
);
app.onError((error) =>
  problemOfError(error, () => {
    throw error;
  }),
);

const json = { 'content-type': 'application/json' };

test.each<readonly [name: string, init: RequestInit, status: number]>([
  ['no body', {}, 200],
  ['an empty body', { body: '' }, 200],
  ['an empty body of the type JSON', { body: '', headers: json }, 200],
  ['an object', { body: '{"run_id":"a"}', headers: json }, 200],
  ['broken JSON', { body: '{', headers: json }, 400],
  ['another type', { body: 'run_id=a', headers: { 'content-type': 'text/plain' } }, 415],
  ['an unknown field', { body: '{"run":"a"}', headers: json }, 422],
])('X002-11.1 an optional body: %s', async (_name, init, status) => {
  expect((await app.request('/', { method: 'POST', ...init })).status).toBe(status);
});

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('a body that is nested deeper than any schema is refused before a function walks through it', () => {
  expect(JSON.stringify(parseBody(nested(100)))).toBe(nested(100));
  for (const depth of [101, 3000, 500_000]) {
    expect(() => parseBody(`{"a":1,"b":${nested(depth - 1)}}`)).toThrow(
      'The body is nested deeper than 100 levels',
    );
  }
});
