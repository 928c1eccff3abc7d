import { describe, expect, test } from 'vitest';
import { ended, eventStream, said, started } from '../../test/fixtures/screens/event-streams.ts';
import type { CollabEvent } from '../events/collab-event.ts';
import type { ConnectionState } from './follow-frames.ts';
import { refusalIn } from './refusal.ts';
import { createRunClient } from './run-client.ts';
import { body, scriptedServer, streamed } from './scripted-server.test-helper.ts';
import { createServerSession } from './server-session.ts';

const events = eventStream([started(), ...said('こんにちは、世界'), ended()]);

function frames(some: readonly CollabEvent[]): Uint8Array {
  return new TextEncoder().encode(
    some.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
}

function clientOf(...answers: readonly (() => Response)[]) {
  const server = scriptedServer(answers);
  return { ...server, client: createRunClient(server.options) };
}

async function followed(answers: readonly (() => Response)[], after = 0) {
  const { client, options, asked, slept } = clientOf(...answers);
  const connections: ConnectionState[] = [];
  const { signal } = new AbortController();
  const sleep = options.sleep ?? (() => Promise.resolve());
  const seen: number[] = [];
  const onConnection = (state: ConnectionState) => connections.push(state);
  for await (const event of client.follow('c', 'r', { signal, sleep, after, onConnection }))
    seen.push(event.seq);
  return { seen, urls: asked.map(({ url }) => url), connections, slept };
}

const all = events.map(({ seq }) => seq);

describe('the events of a run', () => {
  test('arrive in order and end after run.ended without another request', async () => {
    const { seen, urls } = await followed([() => streamed(body([frames(events)]))]);
    expect(seen).toEqual(all);
    expect(urls).toEqual(['http://server/api/tenants/t/conversations/c/runs/r/events?after=0']);
  });

  test('resume after the last one if the connection breaks, and duplicates count once', async () => {
    const { seen, urls, connections } = await followed([
      () => streamed(body([frames(events.slice(0, 3))], 'breaks')),
      () => new Response(null, { status: 503 }),
      () => {
        throw new TypeError('fetch failed');
      },
      () => streamed(body([frames(events.slice(1))])),
    ]);
    expect(seen).toEqual(all);
    expect(urls.map((url) => url.split('?')[1])).toEqual(['after=0', 'after=3', 'after=3', 'after=3']);
    expect(connections).toEqual(['open', 'waiting', 'waiting', 'waiting', 'open']);
  });

  test('are requested again after a gap', async () => {
    const { seen } = await followed([
      () => streamed(body([frames(events.filter(({ seq }) => seq !== 2))])),
      () => streamed(body([frames(events.slice(1))])),
    ]);
    expect(seen).toEqual(all);
  });

  test('of an unknown type are counted and passed on', async () => {
    const [first, second, ...rest] = events;
    const unknown = { ...second, type: 'weather' };
    const text = [first, unknown, ...rest].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const { seen } = await followed([() => streamed(body([new TextEncoder().encode(text)]))]);
    expect(seen).toEqual(all);
  });

  test('that cannot be read are skipped, and later ones are read', async () => {
    const [first, second, ...rest] = events;
    const odd = `id: ${second?.seq}\ndata: {broken\n\nid: ${second?.seq}\ndata: {"seq":${second?.seq}}\n\n`;
    const { seen, urls } = await followed([
      () =>
        streamed(body([...(first ? [frames([first])] : []), new TextEncoder().encode(odd), frames(rest)])),
    ]);
    expect(seen).toEqual([first?.seq, ...rest.map(({ seq }) => seq)]);
    expect(urls).toHaveLength(1);
  });

  test('end with status 204 once all are delivered', async () => {
    expect(await followed([() => new Response(null, { status: 204 })], 7)).toMatchObject({
      seen: [],
      urls: [expect.stringContaining('after=7')],
    });
  });

  test('stop after a limited number of attempts if the server stays away', async () => {
    await expect(followed([])).rejects.toThrow('The stream was lost');
  });

  test('of an unknown run are reported as missing and not requested again', async () => {
    const { client } = clientOf(() => problem(404, 'There is no run r'));
    const { signal } = new AbortController();
    const reading = client.follow('c', 'r', { signal })[Symbol.asyncIterator]().next();
    await expect(reading).rejects.toThrow('There is no run r');
  });

  test('end without an error if reading is aborted', async () => {
    const { client } = clientOf();
    const reading = new AbortController();
    reading.abort();
    const iterator = client.follow('c', 'r', { signal: reading.signal })[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});

function problem(status: number, detail: string, hint?: string): Response {
  return Response.json(
    { type: 'about:blank', title: 'x', status, detail, ...(hint === undefined ? {} : { hint }) },
    { status },
  );
}

const summary = {
  run_id: 'r',
  conversation_id: 'c',
  kind: 'review',
  state: 'ended',
  started_at: 'now',
  title: null,
};

describe('lists and actions', () => {
  test('a refusal has its status, its reason and its hint', async () => {
    const { client } = clientOf(() => problem(422, 'no such range: a...b', 'name two commits'));
    const refused = await client
      .start('c', { kind: 'review', input: { range: 'a...b' } })
      .catch((error: unknown) => error);
    expect(refusalIn(refused)).toEqual({
      status: 422,
      detail: 'no such range: a...b',
      hint: 'name two commits',
    });
  });

  test('a refusal without a problem document is described by its status', async () => {
    const { client } = clientOf(() => new Response('<html>', { status: 502 }));
    await expect(client.conversations(50)).rejects.toThrow('HTTP error: 502');
    const cut = clientOf(() => new Response(body([], 'breaks'), { status: 502 })).client;
    await expect(cut.conversations(50)).rejects.toThrow('HTTP error: 502');
  });

  test('names in URLs are encoded', async () => {
    const { client, asked } = clientOf(() => new Response(null, { status: 202 }));
    await client.answer('c/../d', 'r', 'review/1/gate', 'approve');
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: 'http://server/api/tenants/t/conversations/c%2F..%2Fd/runs/r/answers/review%2F1%2Fgate',
        body: '{"value":"approve"}',
      },
    ]);
  });

  test('starting a run returns its id', async () => {
    const { client } = clientOf(() => Response.json({ run_id: 'r7' }, { status: 201 }));
    expect(await client.start('c', { kind: 'run', task: 'do it' })).toBe('r7');
  });

  test('an answer of another shape is rejected', async () => {
    const { client } = clientOf(
      () => Response.json({ conversations: [{}] }),
      () => Response.json([]),
    );
    await expect(client.conversations(50)).rejects.toThrow('not the list of conversations');
    await expect(client.run('c', 'r')).rejects.toThrow('not a run');
  });

  test('the result of a consult is not read as a review', async () => {
    const snapshot = { ...summary, questions: [], last_seq: 9 };
    const { client } = clientOf(
      () => Response.json({ ...snapshot, result: { schema: 'collab.consult/v1' } }),
      () => Response.json({ ...snapshot, result: { schema: 'collab.review/v1', outcome: 'clean' } }),
    );
    expect((await client.run('c', 'r')).result).toBeNull();
    expect((await client.run('c', 'r')).result?.outcome).toBe('clean');
  });

  test('a run without a change returns null', async () => {
    const { client } = clientOf(
      () => problem(404, 'There is no change'),
      () => new Response('diff --git a/a b/a'),
    );
    expect(await client.diff('c', 'r')).toBeNull();
    expect(await client.diff('c', 'r')).toBe('diff --git a/a b/a');
  });
});

describe('the session', () => {
  test('exists, or requires a token', async () => {
    const { options } = scriptedServer([
      () => Response.json({ tenant: 'local', authenticated: true, version: '1' }),
      () => problem(401, 'a token is needed'),
      () => problem(500, 'broken'),
    ]);
    const session = createServerSession(options);
    expect(await session.current()).toMatchObject({ tenant: 'local', version: '1' });
    expect(await session.current()).toBeNull();
    await expect(session.current()).rejects.toThrow('broken');
  });

  test('sends the token in the body, and a wrong one is refused', async () => {
    const { options, asked } = scriptedServer([() => problem(401, 'this token is not known')]);
    await expect(createServerSession(options).logIn('secret')).rejects.toThrow('not known');
    expect(asked).toMatchObject([
      { url: 'http://server/api/session', method: 'POST', body: '{"token":"secret"}' },
    ]);
  });
});
