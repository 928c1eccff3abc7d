/** A server's refusals, on a real socket: exact bytes, not normalized by a client. */
import { expect, test } from 'vitest';
import { smallDiff, wholeAnswer } from '../../src/runs/rehearsed-review.test-helper.ts';
import { tokenOf } from '../../src/server/guarded.test-helper.ts';
import { serveWorld, type Answer } from './served-folder.ts';

const tenants = '/api/tenants';
const base = `${tenants}/acme/conversations/first`;
const remote = { host: '0.0.0.0', allowHost: ['collab.example.org'] };

test('X002-8.4 X002-27.2 on an address that others reach nothing answers without a token, but health and login', async () => {
  const world = await serveWorld({ flags: remote });
  const { ask } = world;
  const asked = [
    await ask(`${tenants}/acme/conversations`),
    await ask(base),
    await ask(`${base}/stream`),
    await ask(`${base}/stream`, { method: 'POST', body: {} }),
    await ask(`${base}/runs`, { method: 'POST', body: { kind: 'review' } }),
    await ask(`${base}/runs/x/events`, { headers: { authorization: 'Bearer collab_token_x' } }),
    await ask('/api/session'),
  ];
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 401));
  expect(asked.map(kindOf)).toEqual(asked.map(() => 'application/problem+json'));
  const open = [
    await ask('/api/health'),
    await ask(`${tenants}/acme/conversations`, { headers: tokenOf(world) }),
  ];
  expect(open.map(({ status }) => status)).toEqual([200, 200]);
});

test('X002-26.3 what a tenant has is 404 for every other, whichever way it is asked for', async () => {
  const world = await serveWorld({ flags: remote, turns: [{ answer: wholeAnswer }] });
  const { ask } = world;
  const [own, other] = [tokenOf(world), tokenOf(world, 'other')];
  const body = { kind: 'review', input: { diff: smallDiff } };
  const begun = await ask(`${base}/runs`, { method: 'POST', body, headers: own });
  const run = begun.headers.location ?? '';
  const whole = await ask(`${run}/events`, { headers: own });
  const [prompt] = /[0-9a-f]{64}/.exec(whole.text) ?? [];
  const parts = ['', '/diff', '/file?path=src/total.ts', '/dismissals', `/blobs/${prompt}`, '/events'];
  const elsewhere = run.replace('/acme/', '/other/');
  const seen = await Promise.all(
    [run, elsewhere].flatMap((path) => parts.map((part) => ask(`${path}${part}`, { headers: other }))),
  );
  expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 404));
  const changing = await Promise.all(
    [`${run}/cancel`, `${elsewhere}/cancel`, `${run}/answers/x`, `${base}/cancel`, `${base}/stream`].map(
      (path) => ask(path, { method: 'POST', body: {}, headers: other }),
    ),
  );
  expect(changing.map(({ status }) => status)).toEqual(changing.map(() => 404));
  const lists = [
    await ask(`${tenants}/acme/conversations`, { headers: other }),
    await ask(`${tenants}/other/conversations`, { headers: other }),
    await ask(`${tenants}/acme/conversations`, { headers: own }),
  ];
  expect(lists.map(({ status }) => status)).toEqual([404, 200, 200]);
  expect([lists[1]?.json(), lists[2]?.json()]).toMatchObject([
    { conversations: [] },
    { conversations: [{ conversation_id: 'first' }] },
  ]);
});

test('a conversation does not include the runs of another', async () => {
  const { ask } = await serveWorld({ turns: [{ answer: wholeAnswer }] });
  const body = { kind: 'review', input: { diff: smallDiff } };
  const begun = await ask(`${base}/runs`, { method: 'POST', body });
  const run = begun.headers.location ?? '';
  await ask(`${run}/events`);
  expect((await ask(run.replace('/first/', '/second/'))).status).toBe(404);
});

test('X002-26.1,2 a path trick in an id leads nowhere, whichever id it is', async () => {
  const world = await serveWorld();
  for (const [what, id] of Object.entries(tricks)) {
    const paths = [
      `${tenants}/${id}/conversations`,
      `${tenants}/local/conversations/${id}`,
      `${tenants}/local/conversations/${id}/stream`,
      `${tenants}/local/conversations/${id}/runs`,
      `${tenants}/local/conversations/first/runs/${id}`,
      `${tenants}/local/conversations/first/runs/${id}/diff`,
      `${tenants}/local/conversations/first/runs/x/blobs/${id}`,
    ];
    const answers = await Promise.all(paths.map((path) => world.ask(path)));
    const statuses = answers.map(({ status }) => status);
    expect([what, statuses.filter((status) => status !== 400 && status !== 404)]).toEqual([what, []]);
  }
  expect(world.faults).toEqual([]);
});

const tricks = {
  dots: '..',
  'one dot': '.',
  'encoded dots': '%2e%2e',
  'an encoded slash': '..%2f..%2f..%2fetc',
  'a slash encoded twice': '%252e%252e%252f',
  'a backslash': '..%5c..',
  'a NUL': 'a%00b',
  'a line end': 'a%0d%0ab',
  'no UTF-8': '%ff',
  'a broken escape': 'a%zz',
  'too long': 'a'.repeat(129),
  nothing: '',
};

test('X002-8.4 a body that is too large, of another kind, no JSON or without a field is refused by its own status', async () => {
  const { ask } = await serveWorld();
  const [run, stream] = [`${base}/runs`, `${base}/stream`];
  const typed = { 'content-type': 'application/json' };
  const form = { 'content-type': 'multipart/form-data; boundary=b' };
  const post = (path: string, body: object | string, headers = {}) =>
    ask(path, { method: 'POST', body, headers });
  const large = 'x'.repeat(33 * 1024 * 1024);
  const answers = [
    await post(run, { kind: 'review', input: { diff: large } }),
    await post(stream, { user_input: large }),
    await post('/api/session', { token: 'x'.repeat(5000) }),
    await post(run, 'kind=review', { 'content-type': 'application/x-www-form-urlencoded' }),
    await post(run, '{"kind":"review"}', { 'content-type': 'text/plain' }),
    await post(run, '{"kind":"review"}'),
    await post(stream, 'hello', { 'content-type': 'text/plain' }),
    await post(run, '{"kind":', typed),
    await post(stream, '{', typed),
    await post(stream, 'no form', form),
    await post(
      stream,
      '--b\r\ncontent-disposition: form-data; name="request_data"\r\n\r\n{\r\n--b--\r\n',
      form,
    ),
    await post(run, {}),
    await post(run, { kind: 'run' }),
    await post(stream, { executor: {} }),
    await post(stream, '--b\r\ncontent-disposition: form-data; name="other"\r\n\r\n{}\r\n--b--\r\n', form),
  ];
  const statuses = [413, 413, 413, 415, 415, 415, 415, 400, 400, 400, 400, 422, 422, 422, 422];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  expect(answers.map(kindOf)).toEqual(answers.map(() => 'application/problem+json'));
});

test('X002-27.3 a page that has let its own name point here gets nothing, nor does a page of another origin', async () => {
  const { askRaw, ask, port } = await serveWorld();
  const rebound = await askRaw(
    `GET ${tenants}/local/conversations HTTP/1.1\r\nhost: evil.example:${port}\r\nconnection: close\r\n\r\n`,
  );
  expect(rebound).toMatch(/^HTTP\/1\.1 403 /);
  const nameless = await askRaw(`GET ${tenants}/local/conversations HTTP/1.0\r\n\r\n`);
  expect(nameless).toMatch(/^HTTP\/1\.1 40[03] /);
  const origins = ['http://evil.example', 'null', `http://localhost:${port + 1}`];
  const foreign = await Promise.all(
    origins.map((origin) =>
      ask(`${base}/runs`, { method: 'POST', body: { kind: 'review' }, headers: { origin } }),
    ),
  );
  expect(foreign.map(({ status }) => status)).toEqual([403, 403, 403]);
});

test('a path with .. is not resolved to another route', async () => {
  const { askRaw } = await serveWorld({ flags: { ...remote, requireToken: true } });
  const raw = (path: string) =>
    askRaw(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
  const climbed = await raw('/api/session/../tenants/acme/conversations');
  const absolute = await raw('http://evil.example/api/tenants/acme/conversations');
  expect([climbed, absolute].map((text) => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1])).not.toContain('200');
});

test('a user other than the machine’s owner gets no file names', async () => {
  const world = await serveWorld({ flags: remote });
  const say = (text: string) => world.say(text, { tenant: 'acme', headers: tokenOf(world) });
  for (const flag of [
    '--report json=/tmp/x',
    '--report=json=/tmp/x',
    '--config /etc/passwd',
    '--instructions x',
  ]) {
    expect(await say(`/review ${flag}`)).toMatch(/options_error.*is not for the tenant acme/);
  }
  expect(await say('/review /etc/passwd')).toContain('/etc/passwd is not for the tenant acme');
});

function kindOf({ headers }: Answer): string | undefined {
  return headers['content-type'];
}
