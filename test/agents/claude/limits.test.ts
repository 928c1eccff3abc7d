/** The three limits, an abort and a close, against the real Claude Code. */
import { expect, test } from 'vitest';
import { messagesInOrder } from '../../upstream/messages-steps.ts';
import { startScriptedClaude, lead, sessionOf } from './claude-user.ts';
import { processesNaming } from '../../setup/process-table.ts';

const { upstream, world } = await startScriptedClaude();

const limits = { firstSignMs: 30_000, firstByteMs: 30_000, idleMs: 2000, totalMs: 50_000 };
const generous = { timeout: 20_000, interval: 100 };
const half = { text: 'one half and the other', hang: 'stream' } as const;

test.each([
  ['before its answer', { hang: 'headers' } as const, 'Claude Code fell silent'],
  ['in the middle of it', half, 'Claude Code fell silent after a partial answer'],
])('an upstream that falls silent %s is ended at the idle limit', async (_, step, message) => {
  const agent = await world.open({ limits });
  upstream.play(messagesInOrder(step));
  const led = await lead(agent, 'Draft it.');
  expect(led.result).toEqual({ kind: 'timed_out', limit: 'idle', message, sessionId: sessionOf(led) });
  expect(led.events.slice(-2)).toEqual([
    { type: 'error', kind: 'timeout', message, retryable: true },
    { type: 'turn.ended', stop_reason: 'error', usage: null },
  ]);
  await expect.poll(() => upstream.openTurns(), generous).toBe(0);
  expect(processesNaming(sessionOf(led))).toEqual([]);
});

const shortFirst = { ...limits, firstByteMs: 3000, idleMs: 30_000 };

test('an upstream that never sends a byte is ended at the limit for the first byte', async () => {
  const agent = await world.open({ limits: shortFirst });
  upstream.play(messagesInOrder({ hang: 'headers' }));
  const led = await lead(agent, 'Draft it.');
  expect(led.result).toMatchObject({ kind: 'timed_out', limit: 'first_byte' });
  await expect.poll(() => upstream.openTurns(), generous).toBe(0);
});

test('the limit for the first byte applies to the request after a tool, too', async () => {
  const agent = await world.open({ limits: shortFirst });
  upstream.play(messagesInOrder({ tools: [{ name: 'Glob', input: { pattern: '*' } }] }, { hang: 'headers' }));
  const { result, events } = await lead(agent, 'Look, then nothing.', { work: { folder: world.folder } });
  expect(events.filter(({ type }) => type === 'tool.result')).toHaveLength(1);
  expect(result).toMatchObject({ kind: 'timed_out', limit: 'first_byte' });
});

test('the session continues after its turn was ended', async () => {
  const agent = await world.open({ limits });
  upstream.play(messagesInOrder(half, { text: 'Here it is.' }));
  const ended = await lead(agent, 'The first time.');
  const again = await lead(agent, 'The second time.', { sessionId: sessionOf(ended) });
  expect(again.result).toMatchObject({ kind: 'answered', text: 'Here it is.' });
});

test('the total limit ends a turn that is still at work, and its earlier events stay', async () => {
  const agent = await world.open({ limits: { ...limits, idleMs: 1500, totalMs: 3000 } });
  upstream.play(() => ({ tools: [{ name: 'Glob', input: { pattern: '*' } }] }));
  const { result, events } = await lead(agent, 'For ever.', { work: { folder: world.folder } });
  expect(result).toMatchObject({ kind: 'timed_out', limit: 'total' });
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(count('tool.call')).toBeGreaterThan(0);
  expect(count('tool.result')).toBe(count('tool.call'));
  expect(events.find(({ type }) => type === 'usage')).toMatchObject({ cost: null, cost_basis: 'unknown' });
});

test('an abort rejects with its reason and leaves nothing', async () => {
  const agent = await world.open();
  const controller = new AbortController();
  upstream.play(messagesInOrder({ hang: 'headers' }));
  const before = upstream.requests.length;
  const asked = lead(agent, 'Never mind.', { signal: controller.signal });
  const reason = new Error('the user left');
  await upstream.untilRequests(before + 1);
  controller.abort(reason);
  await expect(asked).rejects.toBe(reason);
  await expect.poll(() => upstream.openTurns(), generous).toBe(0);
});

test('closing the agent in the middle of a turn leaves nothing', async () => {
  const agent = await world.open();
  upstream.play(messagesInOrder({ hang: 'headers' }));
  const before = upstream.requests.length;
  const asked = lead(agent, 'Too late.');
  await upstream.untilRequests(before + 1);
  await Promise.all([agent.close(), agent.close()]);
  const led = await asked;
  expect(led.result).toMatchObject({ kind: 'cut', uncounted: false });
  expect(processesNaming(sessionOf(led))).toEqual([]);
});

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)('%s from outside cuts the turn', async (signal) => {
  const agent = await world.open();
  upstream.play(messagesInOrder(half));
  const before = upstream.requests.length;
  let session = '';
  const asked = lead(agent, 'Draft it.', { bind: async (id) => void (session = id) });
  await upstream.untilRequests(before + 1);
  const running = processesNaming(session).filter(({ command }) => command.includes('/claude '));
  expect(running).toHaveLength(1);
  for (const { pid } of running) process.kill(pid, signal);
  const { result, events } = await asked;
  expect(result).toMatchObject({ kind: 'cut', sessionId: session, uncounted: false });
  expect(events.at(-1)).toMatchObject({ type: 'turn.ended', stop_reason: 'error' });
});
