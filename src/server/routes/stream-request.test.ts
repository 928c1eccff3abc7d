import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { executor } from '../served.test-helper.ts';
import { Refusal } from './problem.ts';
import { mostFiles, readStreamRequest, streamRequestSchema } from './stream-request.ts';

const request = { user_input: 'hello', executor };

test('R002-10 a request with every field of the specification is read whole', () => {
  const whole = {
    user_input: 'hello',
    executor: { ...executor, employee_id: 'E-7' },
    tokens: { github: 'tok' },
    preferred_skills: ['secure-change'],
  };
  expect(streamRequestSchema.parse(whole)).toEqual(whole);
  expect(streamRequestSchema.parse(request)).toEqual(request);
});

test.each(['user_id', 'name', 'email'] as const)('R002-10.2 an executor without %s is refused', (field) => {
  const { [field]: _, ...rest } = executor;
  expect(placesOf({ ...request, executor: rest })).toEqual([`executor.${field}`]);
});

test.each([
  ['R002-10.1', { user_input: '' }, 'user_input'],
  ['R002-10.2', { executor: undefined }, 'executor'],
  ['R002-10.2', { executor: { ...executor, employee_id: 7 } }, 'executor.employee_id'],
  ['R002-10.3', { tokens: { github: 7 } }, 'tokens.github'],
  ['R002-10.3', { tokens: ['tok'] }, 'tokens'],
  ['R002-10.4', { preferred_skills: 'secure-change' }, 'preferred_skills'],
  ['R002-10.4', { preferred_skills: [7] }, 'preferred_skills.0'],
])('%s %j is refused at %s', (_rule, change, place) => {
  expect(placesOf({ ...request, ...change })).toEqual([place]);
});

test('a form is read with its files, whose type is plain text if it is not given', async () => {
  const form = formWith(new File(['a'], 'a.md', { type: 'text/markdown' }), new File(['b'], 'b'));
  expect(await readForm({ body: form })).toEqual({
    body: request,
    files: [
      { name: 'a.md', mimeType: 'text/markdown', bytes: new Uint8Array([97]) },
      {
        name: 'b',
        mimeType: expect.stringMatching(/^text\/plain|^application\/octet-stream/),
        bytes: new Uint8Array([98]),
      },
    ],
  });
});

test('a form that is damaged, has no request or too many files is refused with its reason', async () => {
  const many = formWith(...Array.from({ length: mostFiles + 1 }, () => new File([''], 'x')));
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  expect(await readForm({ body: 'no part', headers })).toMatchObject({
    status: 400,
    detail: expect.stringMatching(/^The form cannot be read: ./),
  });
  expect(await readForm({ body: new FormData() })).toMatchObject({
    status: 422,
    hint: expect.stringContaining('-F'),
  });
  expect(await readForm({ body: many })).toMatchObject({
    status: 413,
    detail: 'A message may have 10 files, not 11',
  });
});

function formWith(...files: readonly File[]): FormData {
  const form = new FormData();
  form.set('request_data', JSON.stringify(request));
  for (const file of files) form.append('files', file);
  return form;
}

/** Returns the request, or the problem of its refusal. */
async function readForm(init: { readonly body: FormData | string; readonly headers?: HeadersInit }) {
  const app = new Hono();
  let received: unknown;
  app.post('/', async (context) => {
    received = await readStreamRequest(context).catch((refusal: unknown) => refusal);
    return context.body(null);
  });
  await app.request('/', { method: 'POST', ...init });
  return received instanceof Refusal ? received.getResponse().json() : received;
}

function placesOf(body: object): readonly string[] {
  return streamRequestSchema.safeParse(body).error?.issues.map(({ path }) => path.join('.')) ?? [];
}
