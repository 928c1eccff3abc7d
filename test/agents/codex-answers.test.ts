import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventBody } from '../../src/events/collab-event.ts';
import type { Agent } from '../../src/providers/contract.ts';
import { startUpstream, type Upstream } from '../upstream/responses-server.ts';
import { inOrder } from '../upstream/steps.ts';
import { ask, createWorld, sessionOf, type World } from './codex-world.ts';

let upstream: Upstream;
let world: World;
let agent: Agent;

beforeAll(async () => {
  upstream = await startUpstream(inOrder({ text: 'unscripted' }));
  world = createWorld({ url: upstream.url });
  agent = await world.open({ reviewFolder: world.reviewFolder });
});

afterAll(async () => {
  await world.close();
  await upstream.close();
});

test('a whole answer comes as deltas, as one text, with its usage, from one request', async () => {
  upstream.play(inOrder({ reasoning: 'Let me see', text: 'the whole answer' }));
  const before = upstream.requests.length;
  const asked = await ask(agent, 'collab asks: all well?');
  const sessionId = sessionOf(asked);
  const usage = {
    model: 'gpt-5.5',
    input: 90,
    output: 20,
    cache_read: 10,
    cache_write_5m: 0,
    cache_write_1h: 0,
    reasoning: 5,
    cost: null,
    cost_basis: 'unknown',
  };
  expect(asked.result).toEqual({
    kind: 'answered',
    text: 'the whole answer',
    sessionId,
    usage,
    stopReason: 'completed',
  });
  expect(asked.bound).toEqual([sessionId]);
  expect(withoutIds(asked.events)).toEqual([
    { type: 'session.bound', provider_session_id: sessionId, resumable: true },
    { type: 'turn.started' },
    { type: 'thinking.delta', text: 'Let me see' },
    { type: 'thinking.end' },
    { type: 'text.start', follow_up: false },
    { type: 'text.delta', text: 'the whol' },
    { type: 'text.delta', text: 'e answer' },
    { type: 'text.end', text: 'the whole answer' },
    { type: 'usage', ...usage },
    { type: 'context', tokens: 120, max: 258_400 },
    { type: 'turn.ended', stop_reason: 'completed', usage },
  ]);
  expect(upstream.requests.length - before).toBe(1);
});

function withoutIds(events: readonly EventBody[]): readonly object[] {
  return events.map((event) => ('block_id' in event ? { ...event, block_id: undefined } : event));
}
