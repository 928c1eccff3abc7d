import { beforeAll, expect, test } from 'vitest';
import type { EventBody } from '../../../src/events/collab-event.ts';
import type { Agent } from '../../../src/providers/contract/contract.ts';
import { promptLimit } from '../../../src/providers/codex/turn/agent.ts';
import { testedVersion } from '../../../src/providers/codex/advisor.ts';
import { byContent, inOrder } from '../../upstream/steps.ts';
import { ask, startScriptedCodex, sessionOf } from './codex-user.ts';

const { upstream, world } = await startScriptedCodex();
let agent: Agent;

beforeAll(async () => {
  agent = await world.open({ reviewFolder: world.reviewFolder });
});

test('a whole answer arrives as deltas, as one text, with its usage, from one request', async () => {
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

test('two conversations run at the same time in one process', async () => {
  upstream.play(
    byContent({
      'question one': inOrder({ text: 'answer one', gate: both() }),
      'question two': inOrder({ text: 'answer two' }),
    }),
  );
  const answers = await Promise.all([
    ask(agent, 'collab asks: question one'),
    ask(agent, 'collab asks: question two'),
  ]);
  expect(answers.map(({ result }) => 'text' in result && result.text)).toEqual(['answer one', 'answer two']);
  expect(sessionOf(answers[0])).not.toBe(sessionOf(answers[1]));

  /** The first answer waits for the second request, so sequential requests would never end. */
  function both(): Promise<void> {
    return upstream.untilRequests(upstream.requests.length + 2);
  }
});

test('the next turn of a conversation has the usage of its own calls, not the running total', async () => {
  upstream.play(
    inOrder({ text: 'first' }, { text: 'second', usage: { input_tokens: 300, output_tokens: 7 } }),
  );
  const first = await ask(agent, 'collab asks: first?');
  const second = await ask(agent, 'collab asks: second?', { sessionId: sessionOf(first) });
  expect(sessionOf(second)).toBe(sessionOf(first));
  expect(second.result).toMatchObject({ kind: 'answered', text: 'second', usage: { input: 290, output: 7 } });
  expect(upstream.requests.at(-1)?.text).toContain('collab asks: first?');
});

test('a turn of several calls adds up their usage and answers with its last message', async () => {
  upstream.play(
    inOrder(
      {
        text: 'I look first',
        phase: 'commentary',
        calls: [{ name: 'exec_command', arguments: { cmd: 'echo looked' } }],
      },
      { text: 'it is right', phase: 'final_answer' },
    ),
  );
  const { result, events } = await ask(agent, 'collab asks: with a look');
  expect(result).toMatchObject({ kind: 'answered', text: 'it is right', usage: { input: 180, output: 40 } });
  expect(events.filter(({ type }) => type === 'text.start')).toMatchObject([
    { follow_up: false },
    { follow_up: true },
  ]);
});

test('a refusal and an empty answer do not count as answers', async () => {
  const refusal = { role: 'assistant', status: 'completed', content: [{ type: 'refusal', refusal: 'no' }] };
  upstream.play(inOrder({ items: [refusal] }, { items: [] }, { text: '  \n' }));
  for (const prompt of ['refuse', 'say nothing', 'say blanks']) {
    const asked = await ask(agent, `collab asks: ${prompt}`);
    expect(asked.result).toEqual({
      kind: 'empty',
      message: 'Codex ended the turn without a message (a refusal looks the same)',
      sessionId: sessionOf(asked),
    });
  }
});

test('an answer that reached the limit of output tokens is its available part', async () => {
  upstream.play(inOrder({ text: 'as far as it', incomplete: 'max_output_tokens' }));
  const { result } = await ask(agent, 'collab asks: a long story');
  expect(result).toMatchObject({ kind: 'answered', text: 'as far as it', stopReason: 'max_output_tokens' });
});

test('an answer of two megabytes, with separators that are not line endings, arrives completely', async () => {
  const text = `${'漢字 and \u{2028} \u{2029} \r more\n'.repeat(80_000)}end`;
  upstream.play(inOrder({ text }));
  const { result } = await ask(agent, 'collab asks: everything');
  expect('text' in result && result.text === text).toBe(true);
});

test('garbage between the events of a stream is skipped', async () => {
  upstream.play(inOrder({ text: 'all the same', malformed: 'tolerated' }));
  expect((await ask(agent, 'collab asks: through noise')).result).toMatchObject({ text: 'all the same' });
});

test('the longest prompt is sent, one character more is refused before it is sent', async () => {
  upstream.play(inOrder({ text: 'read' }));
  const before = upstream.requests.length;
  const longest = `collab asks: ${'x'.repeat(promptLimit)}`.slice(0, promptLimit);
  expect((await ask(agent, longest)).result).toMatchObject({ kind: 'answered', text: 'read' });
  expect(await ask(agent, `${longest}y`)).toEqual({
    result: {
      kind: 'timed_out',
      limit: 'context',
      message: 'the prompt has 1048577 characters; Codex takes 1048576',
      sessionId: null,
    },
    events: [],
    bound: [],
  });
  expect(upstream.requests.length - before).toBe(1);
});

test('a prompt that looks like a flag, a command or a name is sent unchanged', async () => {
  upstream.play(inOrder({ text: 'ok' }));
  const prompt = '--help\n/review\n@/etc/passwd $skill review\n';
  await ask(agent, prompt);
  expect(upstream.requests.at(-1)?.lastInput).toContain(JSON.stringify(prompt));
});

test('the agent is described: version, model, login, destination', () => {
  expect(agent.identity).toEqual({
    provider: 'codex',
    displayName: 'Codex',
    version: testedVersion,
    model: 'gpt-5.5',
    login: 'key in SCRIPTED_KEY',
    destination: `127.0.0.1:${upstream.port}`,
    remarks: [],
  });
});

function withoutIds(events: readonly EventBody[]): readonly object[] {
  return events.map((event) => ('block_id' in event ? { ...event, block_id: undefined } : event));
}
