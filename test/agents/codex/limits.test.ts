import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { byContent, inOrder } from '../../upstream/steps.ts';
import { ask, startScriptedCodex, sessionOf } from './codex-user.ts';

const { upstream, world } = await startScriptedCodex();

const limits = { firstSignMs: 30_000, firstByteMs: 30_000, idleMs: 2000, totalMs: 50_000 };

test('a silent upstream ends its turn at the idle limit and does not affect the other turn', async () => {
  const agent = await world.open({ limits });
  let isSilentEnded = false;
  const work = { calls: [{ name: 'exec_command', arguments: { cmd: 'true' } }] };
  upstream.play(
    byContent({
      silent: inOrder({ hang: 'headers' }),
      // Works step after step until the other turn has ended.
      talking: () => (isSilentEnded ? { text: 'still here' } : { ...work, gate: delay(100) }),
    }),
  );
  const silent = ask(agent, 'collab asks: silent');
  const talking = ask(agent, 'collab asks: talking');
  const ended = await silent;
  isSilentEnded = true;
  expect(ended.result).toEqual({
    kind: 'timed_out',
    limit: 'idle',
    message: 'Codex fell silent',
    sessionId: sessionOf(ended),
  });
  expect(ended.events.slice(-2)).toEqual([
    { type: 'error', kind: 'timeout', message: 'Codex fell silent', retryable: true },
    { type: 'turn.ended', stop_reason: 'error', usage: null },
  ]);
  expect((await talking).result).toMatchObject({ kind: 'answered', text: 'still here' });
  await expect.poll(() => upstream.openTurns()).toBe(0);
});

const shortFirst = { ...limits, firstByteMs: 2000, idleMs: 30_000 };

test('an upstream that never sends a byte ends its turn at the limit for the first byte', async () => {
  const agent = await world.open({ limits: shortFirst });
  upstream.play(inOrder({ hang: 'headers' }));
  const { result } = await ask(agent, 'collab asks: nothing');
  expect(result).toMatchObject({
    kind: 'timed_out',
    limit: 'first_byte',
    message: 'Codex got no byte of an answer from its model in time',
  });
  await expect.poll(() => upstream.openTurns()).toBe(0);
});

test('the limit for the first byte applies to the request after a command, too', async () => {
  const agent = await world.open({ limits: shortFirst, reviewFolder: world.reviewFolder });
  const calls = [{ name: 'exec_command', arguments: { cmd: 'true' } }];
  upstream.play(inOrder({ calls }, { hang: 'headers' }));
  const { result, events } = await ask(agent, 'collab asks: look, then nothing');
  expect(events.filter(({ type }) => type === 'tool.result')).toHaveLength(1);
  expect(result).toMatchObject({ kind: 'timed_out', limit: 'first_byte' });
});

test('an upstream that stops in the middle of its answer is ended too, and the partial text is closed', async () => {
  const agent = await world.open({ limits });
  upstream.play(inOrder({ text: 'one half and the other', hang: 'stream' }));
  const { result, events } = await ask(agent, 'collab asks: a half');
  expect(result).toMatchObject({ kind: 'timed_out', limit: 'idle' });
  expect(events.find(({ type }) => type === 'text.end')).toMatchObject({ text: 'one half an' });
  await expect.poll(() => upstream.openTurns()).toBe(0);
});

test('the conversation continues after its turn was ended', async () => {
  const agent = await world.open({ limits });
  upstream.play(inOrder({ hang: 'headers' }, { text: 'here it is' }));
  const ended = await ask(agent, 'collab asks: the first time');
  const again = await ask(agent, 'collab asks: the second time', { sessionId: sessionOf(ended) });
  expect(again.result).toMatchObject({ kind: 'answered', text: 'here it is' });
});

test('a silent command is ended with its turn', async () => {
  const agent = await world.open({ limits, reviewFolder: world.reviewFolder });
  const calls = [{ name: 'exec_command', arguments: { cmd: 'sleep 300', yield_time_ms: 200_000 } }];
  upstream.play(inOrder({ calls }));
  const { result, events } = await ask(agent, 'collab asks: sleep');
  expect(result).toMatchObject({ kind: 'timed_out', limit: 'idle' });
  expect(events.filter(({ type }) => type === 'tool.call')).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'tool.result')).toHaveLength(1);
});

test('an abort rejects immediately and ends the turn at the agent', async () => {
  const agent = await world.open();
  const controller = new AbortController();
  upstream.play(inOrder({ hang: 'headers' }));
  const before = upstream.requests.length;
  const asked = ask(agent, 'collab asks: never mind', { signal: controller.signal });
  const reason = new Error('the user left');
  await upstream.untilRequests(before + 1);
  controller.abort(reason);
  await expect(asked).rejects.toBe(reason);
  await expect.poll(() => upstream.openTurns()).toBe(0);
});

test('closing the agent in the middle of a turn leaves no connection', async () => {
  const agent = await world.open();
  upstream.play(inOrder({ hang: 'headers' }));
  const before = upstream.requests.length;
  const asked = ask(agent, 'collab asks: too late');
  await upstream.untilRequests(before + 1);
  await Promise.all([agent.close(), agent.close()]);
  expect((await asked).result).toMatchObject({ kind: 'cut', uncounted: false });
  await expect.poll(() => upstream.openTurns()).toBe(0);
});
