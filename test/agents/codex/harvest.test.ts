import { beforeEach, expect, test } from 'vitest';
import type { Agent, OpenOptions } from '../../../src/providers/contract/contract.ts';
import { inOrder } from '../../upstream/steps.ts';
import { ask, startScriptedCodex, sessionOf } from './codex-user.ts';

const { upstream, world } = await startScriptedCodex();
let options: OpenOptions;
let agent: Agent;

beforeEach(async () => {
  options = world.options();
  agent = await world.open(options);
});

/** The run continues later, with another server over the same folders. */
async function later(): Promise<Agent> {
  await agent.close();
  return world.open(options);
}

test('an answered turn is read from the conversation, without a request', async () => {
  upstream.play(inOrder({ text: 'paid for' }));
  const asked = await ask(agent, 'collab asks: once', { callId: 'ex_1/2/1' });
  const before = upstream.requests.length;
  const next = await later();
  const whole = { kind: 'answered', text: 'paid for', usage: null };
  expect(await next.harvest(sessionOf(asked), 'ex_1/2/1')).toEqual(whole);
  expect(await next.harvest(sessionOf(asked), 'ex_1/2')).toEqual(whole);
  expect(upstream.requests.length).toBe(before);
});

test('a turn that was lost in progress is interrupted, and its conversation continues', async () => {
  upstream.play(inOrder({ text: 'one half and the other', hang: 'stream' }, { text: 'the whole answer' }));
  const before = upstream.requests.length;
  let session = '';
  const lost = ask(agent, 'collab asks: lost', { bind: async (id) => void (session = id) });
  await upstream.untilRequests(before + 1);
  const next = await later();
  await lost;
  expect(await next.harvest(session, 'call-1')).toEqual({ kind: 'interrupted' });
  expect(upstream.requests.length).toBe(before + 1);
  const again = await ask(next, 'collab asks: the whole answer, please', { sessionId: session });
  expect(again.result).toMatchObject({ kind: 'answered', text: 'the whole answer', sessionId: session });
});

test('a conversation that was bound but never used was never sent', async () => {
  const killed = new Error('killed here');
  let session = '';
  const bind = (id: string): Promise<void> => {
    session = id;
    return Promise.reject(killed);
  };
  await expect(ask(agent, 'collab asks: nothing', { bind })).rejects.toBe(killed);
  const before = upstream.requests.length;
  const next = await later();
  expect(await next.harvest(session, 'call-1')).toEqual({ kind: 'not_sent' });
  expect(upstream.requests.length).toBe(before);
});

test('the answer of an earlier call in the same conversation is not mistaken for the lost one', async () => {
  upstream.play(inOrder({ text: 'the earlier answer' }));
  const asked = await ask(agent, 'collab asks: early', { callId: 'ex_1/1/1' });
  const next = await later();
  expect(await next.harvest(sessionOf(asked), 'ex_1/2')).toEqual({ kind: 'not_sent' });
});

test('a call that ended without a message is not paid for again', async () => {
  upstream.play(inOrder({ items: [] }));
  const asked = await ask(agent, 'collab asks: say nothing');
  const next = await later();
  expect(await next.harvest(sessionOf(asked), 'call-1')).toEqual({ kind: 'answered', text: '', usage: null });
});

test('a failed call is interrupted, one that reached the token limit is answered', async () => {
  upstream.play(inOrder({ status: 503 }, { text: 'as far as it', incomplete: 'max_output_tokens' }));
  const failed = await ask(agent, 'collab asks: fail');
  const truncated = await ask(agent, 'collab asks: a long story');
  const next = await later();
  expect(await next.harvest(sessionOf(failed), 'call-1')).toEqual({ kind: 'interrupted' });
  expect(await next.harvest(sessionOf(truncated), 'call-1')).toMatchObject({
    kind: 'answered',
    text: 'as far as it',
  });
});

test('an unknown session does not start another one', async () => {
  const unknown = '01a1ffb5-587e-77a1-92b5-37ea02cb0934';
  expect(await agent.harvest(unknown, 'call-1')).toEqual({ kind: 'not_sent' });
  const before = upstream.requests.length;
  expect((await ask(agent, 'collab asks: go on', { sessionId: unknown })).result).toEqual({
    kind: 'cut',
    message: 'the conversation is gone',
    sessionId: null,
    uncounted: false,
  });
  expect(upstream.requests.length).toBe(before);
});
