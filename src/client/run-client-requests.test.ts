import { expect, test } from 'vitest';
import { createRunClient, type RunClient } from './run-client.ts';
import { scriptedServer } from './scripted-server.test-helper.ts';
import { createServerSession } from './server-session.ts';

const tenant = 'http://server/api/tenants/t';
const ofRun = `${tenant}/conversations/c%2Fd/runs/r`;

const run = { run_id: 'r', kind: 'review', state: 'ended' };
const runDetail = { ...run, questions: [], last_seq: 9 };
const conversation = { conversation_id: 'c/d', updated_at: 'now', can_continue: true };
const detail = { ...conversation, messages: [], runs: [run], context: null };
const context = { usage_percent: 95, warning_level: 'critical' };
const agent = { provider: 'codex', roles: ['advisor'], ready: true };
const dismissed = { dismissals: [{ finding: 'f1', reason: 'wrong' }], open: ['f2'] };

function clientOf(...answers: readonly (() => Response)[]) {
  const { options, asked } = scriptedServer(answers);
  return { client: createRunClient(options), asked };
}

test.each<[string, (client: RunClient) => Promise<unknown>, unknown, object, unknown]>([
  [
    'conversations',
    (client) => client.conversations(50),
    { conversations: [conversation], next: 'more' },
    { method: 'GET', url: `${tenant}/conversations?limit=50` },
    { conversations: [conversation], hasMore: true },
  ],
  [
    'the last conversations',
    (client) => client.conversations(50),
    { conversations: [], next: null },
    { method: 'GET' },
    { conversations: [], hasMore: false },
  ],
  [
    'a conversation',
    (client) => client.conversation('c/d'),
    detail,
    { method: 'GET', url: `${tenant}/conversations/c%2Fd` },
    detail,
  ],
  [
    'a nearly full conversation',
    (client) => client.conversation('c/d'),
    { ...detail, context },
    { method: 'GET' },
    { ...detail, context },
  ],
  [
    'runs',
    (client) => client.runs('c/d'),
    { runs: [run] },
    { method: 'GET', url: `${tenant}/conversations/c%2Fd/runs` },
    [run],
  ],
  ['agents', (client) => client.agents(), { agents: [agent] }, { url: `${tenant}/agents` }, [agent]],
  [
    'branches',
    (client) => client.branches(),
    { branches: ['main'], more: false },
    { url: `${tenant}/branches` },
    { branches: ['main'], more: false },
  ],
  [
    'dismissals',
    (client) => client.dismissals('c/d', 'r'),
    dismissed,
    { method: 'GET', url: `${ofRun}/dismissals` },
    dismissed,
  ],
  [
    'a run',
    (client) => client.run('c/d', 'r'),
    runDetail,
    { method: 'GET', url: ofRun },
    { ...runDetail, result: null },
  ],
])('%s are asked for by one request and read whole', async (_what, ask, answer, request, value) => {
  const { client, asked } = clientOf(() => Response.json(answer));
  expect(await ask(client)).toEqual(value);
  expect(asked).toMatchObject([request]);
});

test.each<[string, (client: RunClient) => Promise<unknown>, string, string, string | undefined]>([
  ['cancel', (client) => client.cancel('c/d', 'r'), 'POST', '/cancel', '{}'],
  [
    'dismiss',
    (client) => client.dismiss('c/d', 'r', { finding: 'f2', reason: 'a fixture' }),
    'POST',
    '/dismissals',
    '{"finding":"f2","reason":"a fixture"}',
  ],
  ['file', (client) => client.file('c/d', 'r', 'src/a b.ts'), 'GET', '/file?path=src%2Fa%20b.ts', undefined],
  ['blob', (client) => client.blob('c/d', 'r', 'sha/1'), 'GET', '/blobs/sha%2F1', undefined],
  ['diff', (client) => client.diff('c/d', 'r'), 'GET', '/diff', undefined],
])('%s is one request below the run, whose refusal is thrown', async (_name, ask, method, path, sent) => {
  const { client, asked } = clientOf(() => new Response('a text'), refused);
  expect(await ask(client)).toBe(method === 'GET' ? 'a text' : undefined);
  expect(asked).toMatchObject([{ method, url: `${ofRun}${path}` }]);
  expect(asked[0]?.body).toBe(sent);
  await expect(ask(client)).rejects.toThrow('not for you');
});

test('a file that the review did not keep is not there, without an error', async () => {
  const { client, asked } = clientOf(
    () => new Response(null, { status: 404 }),
    () => new Response(null),
  );
  expect(await client.hasFile('c', 'r', 'a.ts')).toBe(false);
  expect(await client.hasFile('c', 'r', 'a.ts')).toBe(true);
  expect(asked[0]?.method).toBe('HEAD');
});

function refused(): Response {
  return Response.json({ detail: 'not for you' }, { status: 403 });
}

/** Answers with one field missing or of another type. */
test.each<[string, (client: RunClient) => Promise<unknown>, readonly unknown[]]>([
  [
    'the list of conversations',
    (client) => client.conversations(1),
    [
      null,
      [],
      {},
      { conversations: {} },
      { conversations: [{ ...conversation, conversation_id: 1 }] },
      { conversations: [conversation, { ...conversation, updated_at: null }] },
      { conversations: [{ ...conversation, can_continue: 'yes' }] },
    ],
  ],
  [
    'a conversation',
    (client) => client.conversation('c'),
    [
      { ...detail, conversation_id: 1 },
      { ...detail, messages: {} },
      { ...detail, runs: [{}] },
      { ...detail, runs: null },
      { ...detail, context: undefined },
      { ...detail, context: { ...context, usage_percent: '95' } },
      { ...detail, context: { usage_percent: 95 } },
    ],
  ],
  [
    'a list of runs',
    (client) => client.runs('c'),
    [
      [],
      {},
      { runs: [{ ...run, run_id: 1 }] },
      { runs: [{ ...run, kind: 1 }] },
      { runs: [run, { ...run, state: 1 }] },
    ],
  ],
  [
    'a run',
    (client) => client.run('c', 'r'),
    [
      { ...runDetail, run_id: 1 },
      { ...runDetail, questions: {} },
      { ...runDetail, last_seq: '9' },
    ],
  ],
  ['a new run', (client) => client.start('c', { kind: 'review', input: {} }), [null, {}, { run_id: 7 }]],
  [
    'a list of agents',
    (client) => client.agents(),
    [
      [],
      { agents: {} },
      { agents: [{ ...agent, provider: 1 }] },
      { agents: [{ ...agent, roles: 'lead' }] },
      { agents: [{ ...agent, ready: 'yes' }] },
    ],
  ],
  [
    'a list of branches',
    (client) => client.branches(),
    [[], { branches: ['main'] }, { branches: [1], more: false }, { more: false }],
  ],
  [
    'a list of dismissals',
    (client) => client.dismissals('c', 'r'),
    [
      [],
      { ...dismissed, open: [1] },
      { ...dismissed, open: undefined },
      { ...dismissed, dismissals: [{ finding: 'f1' }] },
      { ...dismissed, dismissals: [{ reason: 'wrong' }] },
      { open: [] },
    ],
  ],
])('an answer that is not %s is refused by that name', async (what, ask, answers) => {
  for (const answer of answers) {
    const { client } = clientOf(() => Response.json(answer));
    const message = await ask(client).catch((error: unknown) => String(error));
    expect([answer, message]).toEqual([answer, `Error: the server's answer is not ${what}`]);
  }
});

test('a session ends by one request, and one of another shape is refused', async () => {
  const { options, asked } = scriptedServer([
    () => new Response(null, { status: 204 }),
    () => Response.json({ tenant: 'local' }),
    () => Response.json({ version: '1' }),
  ]);
  const session = createServerSession(options);
  await session.logOut();
  expect(asked).toMatchObject([{ url: 'http://server/api/session', method: 'DELETE' }]);
  await expect(session.current()).rejects.toThrow("the server's answer is not a session");
  await expect(session.current()).rejects.toThrow("the server's answer is not a session");
});

test('the headers of the address go with every request, below those of the request itself', async () => {
  const { options, asked } = scriptedServer([() => new Response(null), () => new Response(null)]);
  const headers = { authorization: 'Bearer t', 'content-type': 'text/plain' };
  const client = createRunClient({ ...options, headers, tenantId: 'a/b', baseUrl: '' });
  await client.cancel('c', 'r');
  expect(asked[0]?.url).toBe('/api/tenants/a%2Fb/conversations/c/runs/r/cancel');
  expect(asked[0]?.headers).toEqual({ authorization: 'Bearer t', 'content-type': 'application/json' });
});
