/** The table of failures in test/agents/traps.md, measured again for `app-server`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Agent, TurnResult } from '../../../src/providers/contract/contract.ts';
import { startUpstream, type Upstream } from '../../upstream/responses-server.ts';
import { inOrder, type Step } from '../../upstream/steps.ts';
import { ask, createWorld, type World } from './codex-user.ts';

let upstream: Upstream;
const worlds: World[] = [];

beforeAll(async () => {
  upstream = await startUpstream(inOrder({ text: 'unscripted' }));
});

afterAll(async () => {
  await Promise.all(worlds.map((each) => each.close()));
  await upstream.close();
});

function world(options: Partial<Parameters<typeof createWorld>[0]> = {}): World {
  const created = createWorld({ url: upstream.url, ...options });
  worlds.push(created);
  return created;
}

/** A result without its texts and its session. */
function essence(result: TurnResult): object {
  const { kind } = result;
  if (kind === 'unavailable') return { kind, code: result.code };
  if (kind === 'timed_out') return { kind, limit: result.limit };
  if (kind === 'overloaded') return { kind, retryAfterMs: result.retryAfterMs };
  return kind === 'cut' ? { kind, uncounted: result.uncounted } : { kind };
}

const error = (type: string, code: string | null = null) => ({ error: { message: 'scripted', type, code } });
const unavailable = (code: string) => ({ kind: 'unavailable', code });
const overloaded = { kind: 'overloaded', retryAfterMs: null };
const cut = { kind: 'cut', uncounted: false };

type Row = readonly [name: string, step: Step, essence: object, message: RegExp];

const rows: readonly Row[] = [
  [
    '400',
    { status: 400, body: error('invalid_request_error') },
    unavailable('options'),
    /invalid_request_error/,
  ],
  ['401', { status: 401 }, unavailable('auth'), /401 Unauthorized/],
  ['403', { status: 403 }, unavailable('auth'), /403 Forbidden/],
  ['404', { status: 404 }, unavailable('options'), /404 Not Found/],
  ['413', { status: 413 }, { kind: 'timed_out', limit: 'context' }, /413/],
  ['422', { status: 422 }, unavailable('options'), /422/],
  ['429', { status: 429 }, overloaded, /429/],
  ['429 with retry-after', { status: 429, headers: { 'retry-after': '90' } }, overloaded, /429/],
  [
    '429 without quota',
    { status: 429, body: error('insufficient_quota', 'insufficient_quota') },
    unavailable('quota'),
    /Quota exceeded/,
  ],
  [
    '429 at the limit of the plan',
    { status: 429, body: error('usage_limit_reached') },
    unavailable('quota'),
    /usage limit/,
  ],
  ['500', { status: 500 }, overloaded, /high demand/],
  ['503', { status: 503 }, overloaded, /503/],
  ['529', { status: 529 }, overloaded, /529/],
  [
    'an unknown model',
    { status: 404, body: error('invalid_request_error', 'model_not_found') },
    unavailable('model'),
    /scripted/,
  ],
  ['a stream that is cut', { text: 'half of it', cut: true }, cut, /stream disconnected/],
  ['a stream that ends early', { text: 'half of it', endEarly: true }, cut, /stream closed before/],
  ['a stream of garbage', { text: 'half of it', malformed: 'fatal' }, cut, /stream closed before/],
  ['a failed response', { failed: { code: 'server_error', message: 'oops' } }, cut, /oops/],
  [
    'a limited rate',
    { failed: { code: 'rate_limit_exceeded', message: 'try again in 1.5s' } },
    { kind: 'overloaded', retryAfterMs: 1500 },
    /1\.5s/,
  ],
  [
    'a context that is too long',
    { failed: { code: 'context_length_exceeded', message: 'too long' } },
    { kind: 'timed_out', limit: 'context' },
    /ran out of room/,
  ],
  [
    'a prompt that is not taken',
    { failed: { code: 'invalid_prompt', message: 'bad prompt' } },
    unavailable('options'),
    /bad prompt/,
  ],
  [
    'a filtered answer',
    { text: 'half of it', incomplete: 'content_filter' },
    { kind: 'empty' },
    /content_filter/,
  ],
];

describe("with a user's own provider", () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await world().open();
  });

  test.each(rows)('%s ends the turn after one request', async (name, step, expected, message) => {
    upstream.play(inOrder(step));
    const before = upstream.requests.length;
    const { result, events } = await ask(agent, `collab asks: ${name}`);
    expect(essence(result)).toEqual(expected);
    expect('message' in result && result.message).toMatch(message);
    expect(upstream.requests.length - before).toBe(1);
    expect(events.at(-1)).toMatchObject({ type: 'turn.ended', stop_reason: 'error' });
    expect(events.filter(({ type }) => type === 'error')).toHaveLength(1);
  });

  test('a failure leaves the server usable for the next turn', async () => {
    upstream.play(inOrder({ status: 503 }, { text: 'better now' }));
    const failed = await ask(agent, 'collab asks: once');
    const again = await ask(agent, 'collab asks: once more', {
      sessionId: 'sessionId' in failed.result ? failed.result.sessionId : null,
    });
    expect(again.result).toMatchObject({ kind: 'answered', text: 'better now' });
  });
});

describe('with the built-in provider, which retries by itself', () => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await world({ builtIn: true }).open();
  });

  test.each([
    ['401', { status: 401 }, unavailable('auth'), /401 Unauthorized/, 1],
    ['429 with retry-after', { status: 429, headers: { 'retry-after': '60' } }, overloaded, /429/, 1],
    // Codex repeats a request four times before it reports that.
    ['503', { status: 503 }, overloaded, /503/, 5],
    ['a stream that is cut', { text: 'half of it', cut: true }, cut, /stream disconnected/, 1],
  ] as const)(
    '%s is given up at the first notice of a repeat',
    async (name, step, expected, message, requests) => {
      upstream.play(inOrder(step));
      const before = upstream.requests.length;
      const { result, events } = await ask(agent, `collab asks: ${name}`);
      expect(essence(result)).toEqual(expected);
      expect('message' in result && result.message).toMatch(message);
      expect(upstream.requests.length - before).toBe(requests);
      expect(events.filter(({ type }) => type === 'error')).toMatchObject([{ retryable: true }, {}]);
      await expect.poll(() => upstream.openTurns()).toBe(0);
    },
  );

  test('an answer arrives over HTTP if the upstream does not support WebSocket', async () => {
    upstream.play(inOrder({ text: 'over HTTP' }));
    expect((await ask(agent, 'collab asks: how?')).result).toMatchObject({ text: 'over HTTP' });
    expect(upstream.others).toContain('upgrade /v1/responses');
    expect(agent.identity.login).toBe('API key');
  });
});

test('the built-in provider gets the time to give up its WebSocket if a proxy disconnects it', async () => {
  const proxied = await startUpstream(inOrder({ text: 'over HTTP at last' }), { upgrade: 'hang_up' });
  const agent = await world({ url: proxied.url, builtIn: true }).open();
  expect((await ask(agent, 'collab asks: how?')).result).toMatchObject({ text: 'over HTTP at last' });
  expect(proxied.requests).toHaveLength(1);
  await proxied.close();
});

test.each([false, true])('a refused connection is given up (built-in provider: %s)', async (builtIn) => {
  const closed = await startUpstream(inOrder({ text: 'never' }));
  await closed.close();
  const agent = await world({ url: closed.url, builtIn }).open();
  const { result } = await ask(agent, 'collab asks: anyone?');
  expect(essence(result)).toEqual(overloaded);
});
