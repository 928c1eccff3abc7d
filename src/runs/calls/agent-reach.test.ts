import { expect, test } from 'vitest';
import type { TurnOutcome } from '../../machine/exchange/read-turn.ts';
import { givenUpForMs } from '../../config/waits.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { createAgentReach } from './agent-reach.ts';

const silent: TurnOutcome = { kind: 'timed_out', limit: 'first_byte', message: 'no byte', sessionId: 's' };
const refused: TurnOutcome = {
  kind: 'overloaded',
  message: 'connection refused',
  retryAfterMs: null,
  unreachable: true,
  sessionId: 's',
};

test.each([
  [silent, 'silent', 'no byte'],
  [refused, 'unreachable', 'connection refused'],
] as const)('an exchange that ends in %j without a sign gives the agent up', (outcome, cause, message) => {
  const reach = createAgentReach(createManualClock());
  reach.ask('chunk-1');
  expect(reach.refusal()).toBeNull();
  reach.end('chunk-1', outcome);
  expect(reach.refusal()).toEqual({ kind: 'refused', cause, message, made: false });
});

test('a sign in another exchange in the meantime keeps the agent', () => {
  const reach = createAgentReach(createManualClock());
  reach.ask('chunk-1');
  reach.ask('chunk-2');
  reach.hear({ type: 'text.delta', block_id: 'b', text: 'It' });
  reach.end('chunk-1', silent);
  expect(reach.refusal()).toBeNull();
});

test('an agent’s own events are not a sign of its model', () => {
  const reach = createAgentReach(createManualClock());
  reach.ask('chunk-1');
  reach.hear({ type: 'turn.started' });
  reach.hear({ type: 'error', kind: 'network', message: 'Reconnecting', retryable: true });
  reach.hear({ type: 'turn.ended', stop_reason: 'error', usage: null });
  reach.end('chunk-1', silent);
  expect(reach.refusal()).not.toBeNull();
});

test.each<TurnOutcome>([
  { ...silent, limit: 'idle' },
  { kind: 'overloaded', message: '503', retryAfterMs: null, sessionId: 's' },
  { kind: 'cut', message: 'cut', sessionId: 's', uncounted: false },
])('an exchange that ends in %j says nothing about the next one', (outcome) => {
  const reach = createAgentReach(createManualClock());
  reach.ask('chunk-1');
  reach.end('chunk-1', outcome);
  expect(reach.refusal()).toBeNull();
});

test('the agent is called again after a while: a long run may outlast an outage', async () => {
  const clock = createManualClock();
  const reach = createAgentReach(clock);
  reach.ask('consult-1');
  reach.end('consult-1', silent);
  await clock.advance(givenUpForMs - 1);
  expect(reach.refusal()).not.toBeNull();
  await clock.advance(1);
  expect(reach.refusal()).toBeNull();
});
