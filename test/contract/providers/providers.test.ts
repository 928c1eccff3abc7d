/** One suite over every provider with an SDK of a vendor: a new one needs a fixture and no new test. */
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { TurnLimits } from '../../../src/config/settings.ts';
import { runLoop } from '../../../src/loop/execution-loop.ts';
import { readOnlyPolicy } from '../../../src/loop/tool-policy.ts';
import { systemClock } from '../../../src/system/clock.ts';
import type { ModelMessage, ModelSign } from '../../../src/providers/contract/model.ts';
import { closeServer, listen } from '../../../src/system/loopback.ts';
import { collect } from '../../../src/providers/scripted-client.test-helper.ts';
import type { MessagesStep } from '../../upstream/messages-steps.ts';
import { fieldOf } from '../../upstream/scripted-server.ts';
import { everyProvider } from './every-provider.ts';
import { commonFaults, retryHeaders } from './common-faults.ts';
import { clientOf, environmentOf, openModel, turnOf, upstreamOf, type ProviderFixture } from './fixture.ts';

const generous: TurnLimits = { firstSignMs: 30_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 60_000 };

const tool = { description: 'Reads.', parameters: { type: 'object', properties: {} } };

describe.each(everyProvider)('$name', (fixture) => {
  test('emits thoughts and text as they arrive, each in a block with a start and an end', async () => {
    const { reply, heard } = await ask(fixture, { thinking: 'Let me see.', text: 'A whole answer.' });
    const joined = (kind: 'text' | 'thinking') =>
      heard.map((sign) => (sign.kind === kind ? sign.text : '')).join('');
    expect([joined('thinking'), joined('text')]).toEqual(['Let me see.', 'A whole answer.']);
    expect(heard.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(1);
    expect(heard.filter(({ kind }) => kind === 'begun' || kind.endsWith('_end'))).toEqual([
      { kind: 'begun' },
      { kind: 'thinking_end', block: 0, redacted: false },
      { kind: 'text_end', block: 1 },
    ]);
    expect(reply.end).toMatchObject({ kind: 'said', stopReason: 'end_turn' });
    expect(visible(reply.end)).toEqual([{ type: 'text', text: 'A whole answer.' }]);
  });

  test('R004-2.3 R004-8.3 X004-2.1 gives parallel calls in their order, with their ids and registered names', async () => {
    const { reply, upstream } = await ask(
      fixture,
      {
        text: 'I look.',
        tools: [
          { name: 'fs--read', input: { path: 'a' }, id: 'call_a' },
          { name: 'Grep', input: {}, id: 'call_b' },
        ],
      },
      {
        tools: [
          { ...tool, name: 'fs.read' },
          { ...tool, name: 'Grep' },
        ],
      },
    );
    expect(visible(reply.end)).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'tool_call', id: 'call_a', name: 'fs.read', args: { path: 'a' } },
      { type: 'tool_call', id: 'call_b', name: 'Grep', args: {} },
    ]);
    expect(reply.end).toMatchObject({ stopReason: 'tool_use' });
    expect(upstream.requests[0]?.text).toContain('fs--read');
  });

  test('accepts its own earlier messages, with the results of the calls', async () => {
    const upstream = await upstreamOf(
      fixture,
      { thinking: 'Where?', text: 'I look.', tools: [{ name: 'Grep', input: {}, id: 'call_a' }] },
      { text: 'done' },
    );
    const model = await openModel(fixture, upstream.url);
    const tools = [{ ...tool, name: 'Grep' }];
    const asked: ModelMessage = { role: 'user', parts: [{ type: 'text', text: 'go' }] };
    const first = await model.turn(turnOf([], { tools }));
    if (first.end.kind !== 'said') throw new Error(first.end.message);
    const said: ModelMessage = { role: 'assistant', parts: [...first.end.parts] };
    const result: ModelMessage = {
      role: 'user',
      parts: [{ type: 'tool_result', id: 'call_a', content: 'SEEN', is_error: false }],
    };
    const second = await model.turn(turnOf([], { tools, messages: [asked, said, result] }));
    expect(visible(second.end)).toEqual([{ type: 'text', text: 'done' }]);
    expect(upstream.requests[1]?.text).toContain('SEEN');
  });

  test('reports the usage, with input that was not cached', async () => {
    const { reply } = await ask(fixture, { text: 'done' });
    expect(reply.usage).toMatchObject(fixture.usage);
  });

  test.each([...commonFaults, ...fixture.faults])(
    'reports %s as an end of its turn',
    async (_name, step, end) => {
      const { reply, upstream } = await ask(fixture, step);
      expect(reply.end).toMatchObject(end);
      expect(upstream.requests).toHaveLength(1);
    },
  );

  test.runIf(fixture.showsHeaders).each(retryHeaders)('reads %s in the headers', async (_name, step, end) => {
    expect((await ask(fixture, step)).reply.end).toMatchObject(end);
  });

  test('names the variable to set if a key is refused', async () => {
    const { reply } = await ask(fixture, { status: 401 });
    const [name] = Object.keys(environmentOf(fixture.name, ''));
    expect(reply.end).toMatchObject({ hint: `Set ${name} to a key that is valid for this API.` });
  });

  test('reports a refused connection as one that reached no server', async () => {
    const model = await openModel(fixture, `http://127.0.0.1:${await freePort()}`);
    const reply = await model.turn(turnOf([]));
    expect(reply).toMatchObject({
      end: { kind: 'overloaded', retryAfterMs: null, unreachable: true },
      usage: null,
    });
  });

  test.each<readonly [string, MessagesStep]>([
    ['before the headers', { hang: 'headers' }],
    ['in the middle of a text', { text: 'a long answer', hang: 'stream' }],
  ])('an abort %s closes the connection and rejects with its reason', async (_name, step) => {
    const upstream = await upstreamOf(fixture, step);
    const model = await openModel(fixture, upstream.url);
    const controller = new AbortController();
    const heard: ModelSign[] = [];
    const turn = model.turn(turnOf(heard, { signal: controller.signal }));
    await upstream.untilRequests(1);
    await expect.poll(() => heard.some(({ kind }) => kind === 'text')).toBe('text' in step);
    expect(upstream.openTurns()).toBe(1);
    controller.abort(new Error('enough'));
    await expect(turn).rejects.toThrow('enough');
    await expect.poll(() => upstream.openTurns()).toBe(0);
  });

  test.each<readonly [string, MessagesStep, Partial<TurnLimits>]>([
    ['first_byte', { hang: 'headers' }, { firstByteMs: 200 }],
    ['idle', { text: 'a long answer', hang: 'stream' }, { idleMs: 200 }],
  ])('X001-10.2,5 an API that falls silent is ended at the %s limit', async (limit, step, short) => {
    const upstream = await upstreamOf(fixture, step);
    const model = await openModel(fixture, upstream.url);
    const end = await runLoop({
      model,
      system: '',
      tools: [],
      policy: readOnlyPolicy,
      limits: { ...generous, ...short },
      clock: systemClock,
      history: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }],
      callId: 'call-1',
      signal: new AbortController().signal,
      emit: () => undefined,
      keep: () => undefined,
    });
    expect(end).toMatchObject({ kind: 'timed_out', limit });
    await expect.poll(() => upstream.openTurns()).toBe(0);
  });

  test('rethrows an exception of the listener unchanged, not as a fault of the API', async () => {
    const upstream = await upstreamOf(fixture, { text: 'a long answer', hang: 'stream' });
    const model = await openModel(fixture, upstream.url);
    const turn = model.turn(
      turnOf([], {
        say(sign) {
          if (sign.kind === 'text') throw new Error('the journal is closed');
        },
      }),
    );
    await expect(turn).rejects.toThrow('the journal is closed');
    await expect.poll(() => upstream.openTurns()).toBe(0);
  });

  test('X003-3.1 X003-13 a model that cannot stream is asked for its whole answer, which comes as the same events', async () => {
    const { client, request, upstream } = await stillClient(fixture, {
      thinking: 'Let me see.',
      text: 'A whole answer.',
      tools: [{ name: 'fs--read', input: { path: 'a' }, id: 'call_a' }],
    });
    const events = await collect(
      client.sendRequestStream({ ...request, tools: [{ ...tool, name: 'fs.read' }] }),
    );
    const call = {
      function_name: 'fs.read',
      tool_name: 'fs.read',
      args: { path: 'a' },
      tool_call_id: 'call_a',
    };
    expect(events).toEqual([
      { type: 'thinking_chunk', text: 'Let me see.' },
      { type: 'text_chunk', text: 'A whole answer.', is_follow_up: false },
      { type: 'function_call_start', ...call },
      expect.objectContaining({
        type: 'complete',
        text: 'A whole answer.',
        stop_reason: 'tool_use',
        usage: expect.objectContaining({
          input_tokens: fixture.usage.input,
          output_tokens: fixture.usage.output,
        }),
      }),
    ]);
    const [sent] = upstream.requests;
    expect(fieldOf(sent?.body, 'stream') === true || sent?.url.includes('alt=sse')).toBe(false);
  });

  test.each<readonly [string, MessagesStep, object]>([
    ['a refusal', { status: 503 }, { type: 'error', code: 'overloaded', retryable: true }],
    ['a cut connection', { text: 'a long answer', cut: true }, { type: 'error', retryable: true }],
    ['a body that is no answer', { status: 200, body: '<html>' }, { type: 'error', retryable: true }],
  ])('X003-13 a model that cannot stream tells %s as an error', async (_name, step, last) => {
    const { client, request, upstream } = await stillClient(fixture, step);
    expect(await collect(client.sendRequestStream(request))).toMatchObject([last]);
    expect(upstream.requests).toHaveLength(1);
  });

  test('X003-3.1 X003-7.4 X003-13 an abort closes the connection of a model that cannot stream', async () => {
    const { client, request, upstream } = await stillClient(fixture, { text: 'late', hang: 'stream' });
    const controller = new AbortController();
    const events = collect(client.sendRequestStream({ ...request, abortSignal: controller.signal }));
    await upstream.untilRequests(1);
    controller.abort();
    expect(await events).toEqual([{ type: 'aborted', text: '', reason: 'user_abort' }]);
    await expect.poll(() => upstream.openTurns()).toBe(0);
  });

  test.each(Object.entries(fixture.refused))('its upstream refuses %s', async (_name, body) => {
    const upstream = await upstreamOf(fixture, { text: 'taken' });
    expect(fixture.refusalOf(body)).not.toBeNull();
    const answer = await fetch(`${upstream.url}/${fixture.path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'x-goog-api-key': 'key' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
  });
});

async function ask(fixture: ProviderFixture, step: MessagesStep, own: Parameters<typeof turnOf>[1] = {}) {
  const upstream = await upstreamOf(fixture, step);
  const model = await openModel(fixture, upstream.url);
  const heard: ModelSign[] = [];
  const reply = await model.turn(turnOf(heard, own));
  return { reply, heard, upstream };
}

/** The id of a model that cannot stream, by its profile. */
async function stillClient(fixture: ProviderFixture, step: MessagesStep) {
  const { client, request, upstream } = await clientOf(fixture, step);
  const profile = client.profileOf(request.modelId);
  if (profile === null) throw new Error(`${request.modelId} has no profile`);
  const still = { ...profile, features: { ...profile.features, supports_streaming: false } };
  Object.assign(client, { profileOf: () => still });
  return { client, request, upstream };
}

/** Its text, without the parts that are only for the model itself. */
function visible(end: Awaited<ReturnType<typeof ask>>['reply']['end']) {
  return end.kind === 'said' ? end.parts.filter(({ type }) => type !== 'opaque') : end;
}

/** A port on which no server listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await closeServer(server);
  return port;
}
