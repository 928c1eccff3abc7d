/** No process outlives its caller, however that ends, and the outcome of a lost turn is recovered. */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { messagesInOrder, type MessagesStep } from '../../upstream/messages-steps.ts';
import { startScriptedClaude, lead, sessionOf } from './claude-user.ts';
import { createParentProcess } from '../parent-process.ts';
import { descendantsOf, stillAlive } from '../../setup/process-table.ts';

const { upstream, world } = await startScriptedClaude();
const parent = await createParentProcess(join(import.meta.dirname, 'parent.program.ts'), world.root);

afterEach(() => {
  parent.kill();
});

const generous = { timeout: 20_000, interval: 100 };
const works: MessagesStep = { tools: [{ name: 'Grep', input: { pattern: 'total' } }] };

test.each<[NodeJS.Signals, string, MessagesStep]>([
  ['SIGKILL', 'never answers', { hang: 'headers' }],
  ['SIGKILL', 'stops in the middle', { text: 'one half and the other', hang: 'stream' }],
  ['SIGKILL', 'lets tools run', works],
  ['SIGTERM', 'never answers', { hang: 'headers' }],
  ['SIGINT', 'never answers', { hang: 'headers' }],
])('%s of the parent while the model %s leaves no process and no turn', async (signal, _name, step) => {
  const pid = await startParent(step);
  await expect
    .poll(() => descendantsOf(pid).map(({ command }) => command), generous)
    .toContainEqual(expect.stringContaining('--output-format stream-json'));
  const below = descendantsOf(pid);
  process.kill(pid, signal);
  await expect.poll(() => stillAlive(below), generous).toEqual([]);
  await expect.poll(() => upstream.openTurns(), generous).toBe(0);
});

test('a finished turn whose record was lost with the process is harvested, without a request', async () => {
  await startParent({ text: 'paid for' });
  await expect.poll(() => parent.said, generous).toContainEqual(expect.stringContaining('answered'));
  const session = parent.boundSession();
  parent.kill();
  const before = upstream.requests.length;
  const answered = { kind: 'answered', text: 'paid for' };
  // From our record, with its cost; from the session's own transcript if our record is missing.
  const next = await world.open({ stateFolder: join(world.root, 'killed') });
  expect(await next.harvest(session, 'lead_killed/1')).toMatchObject({ ...answered, usage: { output: 34 } });
  const stranger = await world.open();
  expect(await stranger.harvest(session, 'lead_killed/1')).toEqual({ ...answered, usage: null });
  expect(upstream.requests.length).toBe(before);
});

test('a turn that was cut by the death of the parent is interrupted, and its session continues', async () => {
  await startParent({ text: 'one half and the other', hang: 'stream' });
  const session = parent.boundSession();
  const next = await world.open();
  // Claude Code writes its transcript a moment late; the session lacks the unwritten part.
  await expect.poll(() => next.harvest(session, 'lead_killed/1'), generous).toEqual({ kind: 'interrupted' });
  parent.kill();
  await expect.poll(() => upstream.openTurns(), generous).toBe(0);
  expect(await next.harvest(session, 'lead_killed/1')).toEqual({ kind: 'interrupted' });
  upstream.play(messagesInOrder({ text: 'the whole' }));
  const again = await lead(next, 'Your last turn was cut.', { sessionId: session });
  expect(again.result).toMatchObject({ kind: 'answered', text: 'the whole' });
});

test('an earlier finished turn of the session is never mistaken for the lost one', async () => {
  const agent = await world.open();
  upstream.play(messagesInOrder({ text: 'the first' }));
  const first = await lead(agent, 'One.', { callId: 'lead_a/1/1' });
  const session = sessionOf(first);
  expect(await agent.harvest(session, 'lead_b/1')).toEqual({ kind: 'not_sent' });
  expect(await agent.harvest(session, 'lead_a/1')).toMatchObject({ kind: 'answered', text: 'the first' });
  expect(await agent.harvest(session, 'lead_a/1/1')).toMatchObject({ kind: 'answered' });
  upstream.play(messagesInOrder({ text: 'the second' }));
  await lead(agent, 'Two.', { callId: 'lead_b/1/1', sessionId: session });
  expect(await agent.harvest(session, 'lead_b/1')).toMatchObject({ kind: 'answered', text: 'the second' });
  const stranger = await world.open();
  expect(await stranger.harvest(session, 'lead_b/1')).toMatchObject({ kind: 'answered', text: 'the second' });
  expect(await stranger.harvest(session, 'lead_a/1')).toEqual({ kind: 'not_sent' });
});

test('a session that was bound but never started was not sent; a turn that failed was cut', async () => {
  const agent = await world.open();
  const never = '11111111-2222-4333-8444-555555555555';
  expect(await agent.harvest(never, 'lead_a/1')).toEqual({ kind: 'not_sent' });
  expect(await agent.harvest('../../etc/passwd', 'lead_a/1')).toEqual({ kind: 'not_sent' });
  upstream.play(messagesInOrder({ status: 529 }));
  const failed = await lead(agent, 'One.', { callId: 'lead_a/1/1' });
  expect(await agent.harvest(sessionOf(failed), 'lead_a/1')).toEqual({ kind: 'interrupted' });
});

/** Settles when the model has been asked. */
async function startParent(step: MessagesStep): Promise<number> {
  upstream.play(messagesInOrder(step));
  const before = upstream.requests.length;
  const pid = parent.start(
    [join(world.root, 'killed'), world.repository, world.folder, upstream.url],
    world.env,
  );
  await upstream.untilRequests(before + 1);
  return pid;
}
