import { describe, expect, test } from 'vitest';
import { eventStream, started } from '../../test/fixtures/screens/event-streams.ts';
import type { StreamingEvent } from '../views/stream/event.ts';
import { projectToStreaming } from '../views/stream/projection.ts';
import { createConversation } from './conversation.ts';
import {
  body,
  hanging,
  numbered,
  request,
  scriptedServer,
  wholeRun,
  wire,
  streamed,
} from './scripted-server.test-helper.ts';
import { afterEvent, idleState, type StreamingState } from './streaming-state.ts';

function conversationOf(...answers: readonly (() => Response)[]) {
  const server = scriptedServer(answers);
  return { ...server, conversation: createConversation(server.options) };
}

function whole(): Response {
  return streamed(body([wire(wholeRun)]));
}

/** Handlers that keep the main agent's texts. */
function textsInto(texts: string[]) {
  return {
    onThinking: (text: string) => texts.push(text),
    onAssistant: (text: string) => texts.push(text),
  };
}

/** Resolves when the state matches. */
function reached(
  { getState, subscribe }: ReturnType<typeof createConversation>,
  isWanted: (state: StreamingState) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const leave = subscribe(() => {
      if (!isWanted(getState())) return;
      leave();
      resolve();
    });
  });
}

describe('a conversation', () => {
  test('R002-43.2 R002-46.1,2 folds the events into its state', async () => {
    const { conversation } = conversationOf(whole);
    const seen: number[] = [];
    conversation.subscribe(() => seen.push(conversation.getState().pendingTools.size));
    await conversation.execute(request);
    expect(conversation.getState()).toMatchObject({
      isStreaming: false,
      sessionId: 'abc123',
      currentText: 'こんにちは 👋 ',
      thinkingText: '考える',
      tools: ['Bash', 'Read'],
      usage: { total_tokens: 2000 },
      error: null,
      status: 'success',
      lastSeq: wholeRun.length,
      pendingTools: new Map(),
    });
    expect(Math.max(...seen)).toBe(1);
  });

  test('R002-46.3 a ping does not call the subscribers', async () => {
    const { conversation } = conversationOf(() =>
      streamed(body([wire(wholeRun.slice(0, 3)), wire(wholeRun.slice(3))])),
    );
    const seen = [conversation.getState()];
    conversation.subscribe(() => seen.push(conversation.getState()));
    await conversation.execute(request);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('R002-44.1-5,8 calls the handlers, in order', async () => {
    const { conversation } = conversationOf(whole);
    const heard: string[] = [];
    const hear = (name: string) => () => heard.push(name);
    await conversation.execute(request, {
      onInit: hear('init'),
      onThinking: hear('thinking'),
      onAssistant: (text) => heard.push(text),
      onToolCall: hear('call'),
      onToolResult: hear('result'),
      onProgress: (type) => heard.push(`progress ${type}`),
      onDone: hear('done'),
      onError: hear('error'),
    });
    expect(heard.filter((name) => !name.startsWith('progress')).join('|')).toBe(
      `init|thinking|${textPieces()}|call|result|done`,
    );
  });

  test('R002-44.6,7,10,11 passes on progress, title, a full context and that the input is disabled', async () => {
    const [first] = wholeRun;
    if (first === undefined) throw new Error('the run has no event');
    const { timestamp } = first.data;
    const base = { seq: 0, timestamp };
    const full = {
      ...base,
      current_context_tokens: 95,
      max_context_tokens: 100,
      usage_percent: 95,
      warning_level: 'blocked',
      can_continue: false,
      message: 'it is full',
      recommended_action: 'new_chat',
    } as const;
    const bytes = wire(
      numbered([
        first,
        { event: 'progress', data: { ...base, type: 'thinking', message: '思考中...' } },
        { event: 'title', data: { ...base, title: 'A talk' } },
        { event: 'context_status', data: full },
        { event: 'context_status', data: { ...full, warning_level: 'critical', can_continue: true } },
        ...wholeRun.slice(-1),
      ]),
    );
    const { conversation } = conversationOf(() => streamed(body([bytes])));
    const heard: unknown[] = [];
    await conversation.execute(request, {
      onProgress: (...progress) => heard.push(progress),
      onTitle: (title) => heard.push(title),
      onContextStatus: ({ warning_level: level }) => heard.push(level),
      onInputDisabled: (...disabled) => heard.push(disabled),
    });
    expect(heard).toEqual([['thinking', '思考中...'], 'A talk', 'blocked', [true, 'it is full'], 'critical']);
  });

  test('R002-45.2 a new run clears text, thinking, error, status, number and pending tools', async () => {
    const call = wholeRun.find(({ event }) => event === 'tool_call');
    const done = wholeRun.at(-1);
    if (call === undefined || done === undefined) throw new Error('the run is too short');
    const { timestamp } = done.data;
    const spoken = wholeRun.filter(({ event }) => ['thinking', 'assistant'].includes(event));
    const broken: StreamingEvent = {
      event: 'error',
      data: { seq: 0, timestamp, error_type: 'execution_error', message: 'it broke', recoverable: false },
    };
    const { conversation } = conversationOf(
      () => streamed(body([wire(numbered([...spoken, call, broken, done]))])),
      () => streamed(hanging([])),
    );
    await conversation.execute(request);
    const { isStreaming, usage, ...before } = conversation.getState();
    expect([isStreaming, usage]).toMatchObject([false, { total_tokens: 2000 }]);
    expect(before).toMatchObject({
      currentText: 'こんにちは 👋 ',
      thinkingText: '考える',
      error: 'it broke',
    });
    expect(before).toMatchObject({ status: 'success', lastSeq: spoken.length + 3 });
    expect(before.pendingTools.size).toBe(1);
    void conversation.execute(request);
    expect(conversation.getState()).toMatchObject({
      isStreaming: true,
      currentText: '',
      thinkingText: '',
      error: null,
      status: null,
      lastSeq: 0,
      pendingTools: new Map(),
    });
    conversation.disconnect();
  });

  test('X002-30.1 an error of an unknown type cannot be repeated, whatever the server says of it', async () => {
    const error = { seq: 1, timestamp: '2026-11-21T09:30:00.000000Z', message: 'no', recoverable: true };
    const heard: unknown[] = [];
    for (const type of ['timeout_error', 'novelty_error']) {
      const text = `event: error\ndata: ${JSON.stringify({ ...error, error_type: type })}\n\n`;
      const { conversation } = conversationOf(() =>
        streamed(body([new TextEncoder().encode(text), wire(numbered(wholeRun).slice(1))])),
      );
      await conversation.execute(request, { onError: (_message, recoverable) => heard.push(recoverable) });
    }
    expect(heard).toEqual([true, false]);
  });

  test('R002-40 R002-44 an error of a full context disables the input, another one does not', async () => {
    const error = { seq: 1, timestamp: '2026-11-21T09:30:00.000000Z', message: 'full', recoverable: false };
    const heard: unknown[] = [];
    for (const type of ['context_limit_exceeded', 'execution_error'] as const) {
      const bytes = wire(
        numbered([{ event: 'error', data: { ...error, error_type: type } }, ...wholeRun.slice(-1)]),
      );
      const { conversation } = conversationOf(() => streamed(body([bytes])));
      await conversation.execute(request, {
        onInputDisabled: (...disabled) => heard.push([type, ...disabled]),
      });
    }
    expect(heard).toEqual([['context_limit_exceeded', true, 'full']]);
  });

  test('X002-15.3 X002-20.3 unknown fields, and null in every optional one, change nothing', async () => {
    const optional = {
      conversation_id: null,
      parent_agent_id: null,
      tool_use_id: null,
      tool_name: null,
      tool_status: null,
      session_id: null,
      messages: null,
      model_usage: null,
      message: null,
      recommended_action: null,
      result_preview: null,
    };
    const events = wholeRun.map(({ event, data }) => {
      const more = JSON.stringify({ novelty: { deep: [1] }, ...optional, ...data });
      return `id: run-1:${data.seq}\nevent: ${event}\ndata: ${more}\n\n`;
    });
    const { conversation } = conversationOf(() =>
      streamed(body([new TextEncoder().encode(events.join(''))])),
    );
    const plain = conversationOf(whole).conversation;
    const [heard, expected]: [string[], string[]] = [[], []];
    await conversation.execute(request, textsInto(heard));
    await plain.execute(request, textsInto(expected));
    expect(heard).toEqual(expected);
    expect(heard).toContain('考える');
    const { tools, sessionId, currentText, thinkingText, usage, status, agents } = plain.getState();
    expect(conversation.getState()).toMatchObject({
      tools,
      sessionId,
      currentText,
      thinkingText,
      usage,
      status,
      agents,
      error: null,
      lastSeq: wholeRun.length,
      pendingTools: new Map(),
    });
  });

  test.each([
    ['HTTP error: 500', () => new Response('', { status: 500 })],
    ['Response body is null', () => new Response(null)],
  ])('R002-44.9 R002-45.5,6 %s ends the run, and may not be repeated', async (message, answer) => {
    const { conversation } = conversationOf(answer);
    const heard: unknown[] = [];
    await conversation.execute(request, { onError: (...error) => heard.push(error) });
    expect(heard).toEqual([[message, false]]);
    expect(conversation.getState()).toMatchObject({ error: message, isStreaming: false });
  });

  test('X002-D3 R002-45.1,3 a new run silences the old one, and stays the one that streams', async () => {
    const { conversation } = conversationOf(
      () => streamed(hanging([wire(wholeRun.slice(0, 3))])),
      () => streamed(hanging([wire(wholeRun.slice(0, 2))])),
    );
    const arrived = reached(conversation, ({ lastSeq }) => lastSeq === 3);
    const first = conversation.execute(request, { onError: () => expect.unreachable() });
    await arrived;
    void conversation.execute(request);
    expect(conversation.getState()).toMatchObject({ isStreaming: true, lastSeq: 0, thinkingText: '' });
    await first;
    expect(conversation.getState().isStreaming).toBe(true);
    conversation.disconnect();
    expect(conversation.getState().isStreaming).toBe(false);
  });

  test('X002-D3 a handler that starts a new run drops the events that had already arrived of the old one', async () => {
    const { conversation } = conversationOf(whole, () => streamed(hanging([])));
    const heard: string[] = [];
    const hear = (name: string) => () => heard.push(name);
    await conversation.execute(request, {
      onInit: () => {
        heard.push('init');
        void conversation.execute(request);
      },
      onThinking: hear('thinking'),
      onAssistant: hear('assistant'),
      onToolCall: hear('call'),
      onDone: hear('done'),
    });
    expect(heard).toEqual(['init']);
    expect(conversation.getState()).toMatchObject({
      isStreaming: true,
      currentText: '',
      thinkingText: '',
      status: null,
      lastSeq: 0,
    });
    conversation.disconnect();
  });

  test('X002-D7 cancel ends the run on the server, and the state says so', async () => {
    const { conversation, asked } = conversationOf(
      () => streamed(hanging([wire(wholeRun.slice(0, 3))])),
      () => new Response('{}', { status: 202 }),
    );
    const arrived = reached(conversation, ({ lastSeq }) => lastSeq === 3);
    const run = conversation.execute(request);
    await arrived;
    await conversation.cancel();
    await run;
    expect(asked[1]?.url).toMatch(/\/cancel$/);
    expect(conversation.getState()).toMatchObject({ status: 'cancelled', isStreaming: false, error: null });
  });

  test('R002-45.7,8 X002-11.7 disconnect is silent', async () => {
    const { conversation, asked } = conversationOf(() => streamed(hanging([wire(wholeRun.slice(0, 3))])));
    const arrived = reached(conversation, ({ lastSeq }) => lastSeq === 3);
    const run = conversation.execute(request);
    await arrived;
    conversation.disconnect();
    await run;
    expect(asked).toHaveLength(1);
    expect(conversation.getState()).toMatchObject({ error: null, status: null, isStreaming: false });
  });
});

describe('the state', () => {
  const base = { seq: 1, timestamp: '2026-11-21T09:30:00.000000Z' };
  const status = (canContinue: boolean): StreamingEvent => ({
    event: 'context_status',
    data: {
      ...base,
      current_context_tokens: 95,
      max_context_tokens: 100,
      usage_percent: 95,
      warning_level: canContinue ? 'critical' : 'blocked',
      can_continue: canContinue,
    },
  });

  test('X002-D4 what a sub-agent says stays out of the main text', () => {
    const stream = projectToStreaming(
      eventStream([
        started(),
        { type: 'agent.started', agent_id: 'a', agent_type: 'Explore', description: 'look' },
        { body: { type: 'text.delta', block_id: 'b', text: 'theirs' }, parentAgentId: 'a' },
        { body: { type: 'thinking.delta', block_id: 't', text: 'hm' }, parentAgentId: 'a' },
        { type: 'agent.ended', agent_id: 'a', status: 'completed' },
        { type: 'text.delta', block_id: 'b', text: 'mine' },
      ]),
    );
    const state = after(...stream);
    expect([state.currentText, state.thinkingText]).toEqual(['mine', '']);
    expect(state.agents.get('a')).toEqual({
      type: 'Explore',
      description: 'look',
      text: 'theirs',
      thinking: 'hm',
      status: 'completed',
    });
  });

  test('X002-D5 R002-32.1 a full context disables the input, a nearly full one does not', () => {
    expect(after(status(true))).toMatchObject({
      isInputDisabled: false,
      contextStatus: { usagePercent: 95 },
    });
    expect(after(status(false)).isInputDisabled).toBe(true);
  });

  test('R002-40.2 so does an error that says so', () => {
    const error = { ...base, message: 'full', recoverable: false };
    const full = after({ event: 'error', data: { ...error, error_type: 'context_limit_exceeded' } });
    expect(full).toMatchObject({ error: 'full', isInputDisabled: true });
    const other = after({ event: 'error', data: { ...error, error_type: 'execution_error' } });
    expect(other.isInputDisabled).toBe(false);
  });

  test('X002-20.3 null in parent_agent_id is as good as nothing', () => {
    const nobody = { ...base, parent_agent_id: null };
    const state = after(
      { event: 'thinking', data: { ...nobody, content: 'hm' } },
      { event: 'assistant', data: { ...nobody, content_blocks: [{ type: 'text', text: 'mine' }] } },
    );
    expect([state.thinkingText, state.currentText, state.agents.size]).toEqual(['hm', 'mine', 0]);
  });

  test('R002-46.1,3 a ping changes nothing', () => {
    const before = after(status(true));
    expect(afterEvent(before, { event: 'ping', data: { ...base, seq: 0, elapsed_ms: 1 } })).toBe(before);
  });

  test('a run that another window started is read from its beginning, and not started again', async () => {
    const { conversation, asked } = conversationOf(whole);
    await conversation.join('run-1');
    expect(asked).toMatchObject([{ method: 'GET', lastEventId: 'run-1:0' }]);
    expect(asked[0]?.url).toContain('/stream?after=run-1%3A0');
    expect(conversation.getState()).toMatchObject({ currentText: 'こんにちは 👋 ', status: 'success' });
  });
});

function after(...events: readonly StreamingEvent[]): StreamingState {
  return events.reduce(afterEvent, idleState);
}

/** The run's text as it arrived, piece by piece. */
function textPieces(): string {
  return wholeRun
    .flatMap(({ event, data }) => (event === 'assistant' ? data.content_blocks.map(({ text }) => text) : []))
    .join('|');
}
