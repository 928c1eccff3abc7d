/** What a served turn and a chat do when the vendor is overloaded, limits or fails for a while: the SDK over a scripted vendor. */
import { onTestFinished } from 'vitest';
import { createFrameReader } from '../../../src/client/read-frames.ts';
import { streamedEvent } from '../../../src/client/streamed-event.test-helper.ts';
import { formOf } from '../../../src/server/served.test-helper.ts';
import type { StreamingEvent } from '../../../src/views/stream/event.ts';
import { isDoneEvent, isErrorEvent, isProgressEvent } from '../../../src/views/stream/guards.ts';
import { startMessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder, type MessagesStep } from '../../upstream/messages-steps.ts';
import { test, type Place } from '../place.ts';
import { recordsIn } from '../records-in.ts';
import { serve, streamOf, type Served } from './served.ts';

const hello: MessagesStep = { text: 'Hello again.' };
const env = { ANTHROPIC_API_KEY: 'sk-scripted' };

async function vendorOf(place: Place, steps: readonly MessagesStep[], settings = 'waits: [10ms]') {
  const upstream = await startMessagesUpstream(messagesInOrder(...steps));
  onTestFinished(() => upstream.close());
  place.write('own.yaml', `providers:\n  anthropic: { base_url: "${upstream.url}" }\n${settings}\n`);
  return upstream;
}

function serveLead(place: Place): Promise<Served> {
  return serve(
    place,
    ['--lead', 'anthropic:claude-scripted', '--config', 'own.yaml', '--language', 'en'],
    env,
  );
}

async function sayTo(served: Served, conversation = 'first'): Promise<readonly StreamingEvent[]> {
  const response = await fetch(streamOf(served, conversation), { method: 'POST', body: formOf('hello') });
  return createFrameReader()
    .feed(new Uint8Array(await response.arrayBuffer()))
    .map(streamedEvent)
    .filter(({ event }) => event !== 'ping');
}

function namesOf(events: readonly StreamingEvent[]): readonly string[] {
  return events.map(({ event }) => event);
}

function repeatsIn(events: readonly StreamingEvent[]): readonly string[] {
  const messages = events.filter(isProgressEvent).map(({ data }) => data.message);
  return messages.filter((message) => message.includes('Trying again'));
}

test('X003-14.1 X002-15.1 a request that fails for a while is made again, and the stream says when', async ({
  place,
  expect,
}) => {
  const passing: readonly (readonly [MessagesStep, string])[] = [
    [{ status: 429, headers: { 'retry-after': '1' } }, 'The rate limit is reached. Trying again in 1 s...'],
    [{ status: 429 }, 'The rate limit is reached. Trying again in'],
    [{ status: 529 }, 'The model is overloaded. Trying again in'],
    [{ status: 503 }, 'The model is overloaded. Trying again in'],
    [{ status: 500 }, 'The model is overloaded. Trying again in'],
    [{ reset: true }, 'The connection to the model broke. Trying again in'],
  ];
  const upstream = await vendorOf(place, [hello]);
  const served = await serveLead(place);
  for (const [index, [step, message]] of passing.entries()) {
    const before = upstream.requests.length;
    upstream.play(messagesInOrder(step, hello));
    const events = await sayTo(served, `conversation-${index}`);
    expect(upstream.requests.length - before).toBe(2);
    expect(repeatsIn(events)).toEqual([expect.stringContaining(message)]);
    expect(namesOf(events)).not.toContain('error');
    expect(events.find(isDoneEvent)?.data).toMatchObject({ status: 'success', result: 'Hello again.' });
  }
  expect(served.stderr()).toBe('');
});

test('X003-14.3 a date in retry-after is a wait, and one far away is the end', async ({ place, expect }) => {
  const near = new Date(Date.now() + 1500).toUTCString();
  const far = new Date(Date.now() + 3_600_000).toUTCString();
  const upstream = await vendorOf(place, [{ status: 503, headers: { 'retry-after': near } }, hello]);
  const served = await serveLead(place);
  expect((await sayTo(served)).find(isDoneEvent)?.data).toMatchObject({ status: 'success' });
  upstream.play(messagesInOrder({ status: 429, headers: { 'retry-after': far } }));
  const before = upstream.requests.length;
  const events = await sayTo(served);
  expect(upstream.requests.length - before).toBe(1);
  const fault = events.find(isErrorEvent)?.data;
  expect(fault).toMatchObject({ error_type: 'execution_error', recoverable: false, cause: 'rate_limit' });
  expect(fault?.message).toMatch(/; it asks to wait 3[56]\d\d s$/);
  expect(fault?.retry_after_ms).toBeGreaterThan(3_500_000);
});

test('X003-14.4 X002-8.1 X002-15.2 after three repeats the stream ends with one error', async ({
  place,
  expect,
}) => {
  const upstream = await vendorOf(place, [{ status: 529, message: 'Overloaded' }]);
  const events = await sayTo(await serveLead(place));
  expect(upstream.requests).toHaveLength(4);
  expect(repeatsIn(events).length).toBeGreaterThan(0);
  expect(namesOf(events).slice(-2)).toEqual(['error', 'done']);
  expect(events.filter(isErrorEvent).map(({ data }) => data)).toMatchObject([
    { error_type: 'execution_error', cause: 'overloaded', message: expect.stringMatching(/\(4 attempts\)$/) },
  ]);
});

test('X003-14.5 what was shown is not said a second time', async ({ place, expect }) => {
  const upstream = await vendorOf(place, [{ text: 'half of it', cut: true }, hello]);
  const events = await sayTo(await serveLead(place));
  expect(upstream.requests).toHaveLength(1);
  expect(repeatsIn(events)).toEqual([]);
  expect(namesOf(events).slice(-2)).toEqual(['error', 'done']);
});

test('X002-8.3 what the vendor refuses at once has no init', async ({ place, expect }) => {
  const refused: readonly (readonly [MessagesStep, string])[] = [
    [{ status: 401 }, 'options_error'],
    [{ status: 404, message: 'model: claude-scripted' }, 'model_validation_error'],
    [{ status: 400, message: 'thinking: not supported' }, 'options_error'],
    [{ status: 400, message: 'prompt is too long: 210000 tokens > 200000' }, 'context_limit_exceeded'],
    [{ status: 413 }, 'context_limit_exceeded'],
  ];
  const upstream = await vendorOf(place, [hello]);
  const served = await serveLead(place);
  for (const [index, [step, type]] of refused.entries()) {
    const before = upstream.requests.length;
    upstream.play(messagesInOrder(step));
    const events = await sayTo(served, `conversation-${index}`);
    expect(upstream.requests.length - before).toBe(1);
    expect(events).toMatchObject([
      { event: 'error', data: { seq: 1, error_type: type } },
      { event: 'done', data: { seq: 2, status: 'error' } },
    ]);
  }
});

test('X003-14.6 X002-11.1 a cancel ends a wait', async ({ place, expect }) => {
  const upstream = await vendorOf(place, [{ status: 429, headers: { 'retry-after': '60' } }, hello]);
  const served = await serveLead(place);
  const said = sayTo(served);
  await upstream.untilRequests(1);
  const cancel = streamOf(served, 'first').replace(/stream$/, 'cancel');
  expect((await fetch(cancel, { method: 'POST' })).status).toBe(202);
  expect((await said).find(isDoneEvent)?.data).toMatchObject({ status: 'cancelled', is_error: false });
  expect(upstream.requests).toHaveLength(1);
});

test('X002-13.1 a wait counts in the limits of the turn', async ({ place, expect }) => {
  const upstream = await vendorOf(
    place,
    [{ status: 429, headers: { 'retry-after': '60' } }, hello],
    'limits: { idle: 1s, total: 2s }',
  );
  const events = await sayTo(await serveLead(place));
  expect(events.find(isErrorEvent)?.data).toMatchObject({ error_type: 'timeout_error', recoverable: true });
  expect(upstream.requests).toHaveLength(1);
});

test('X003-14.1 collab chat says that it tries again, on standard error and as an event', async ({
  place,
  expect,
}) => {
  const overloaded: MessagesStep = { status: 529, message: 'Overloaded' };
  const upstream = await vendorOf(place, [overloaded, hello, overloaded, hello]);
  const chat = (args: readonly string[]) =>
    place.collab(['chat', '--lead', 'anthropic:claude-scripted', '--config', 'own.yaml', ...args], {
      input: 'hello\n',
      env,
    });
  const text = await chat(['--ascii']);
  expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello again.') });
  expect(text.stderr).toMatch(/Overloaded; trying again in \d s\n/);
  const json = await chat(['--json']);
  expect(recordsIn(json.stdout).filter(({ type }) => type === 'error')).toMatchObject([
    { kind: 'overloaded', retryable: true, repeat_in_ms: expect.any(Number) },
  ]);
  expect(upstream.requests).toHaveLength(4);
});
