import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import {
  maxAnswerBytes,
  maxTurnEventBytes,
  maxTurnOutputBytes,
  sizeProblem,
  stoppedAtLimit,
  stoppedAtTurnLimit,
} from '../../parsers/markdown/answer-size.ts';
import type { TurnCall, TurnResult } from '../../providers/contract/contract.ts';
import { boundedTurn } from './bounded-turn.ts';
import { maskedTurn } from './masked-turn.ts';

const piece = 'é'.repeat(10_000);

test('an answer that exceeds the limit is stopped during streaming, and its beginning is kept', async () => {
  const agent = endlessAgent(piece);
  const heard: EventBody[] = [];
  const result = await boundedTurn(agent.turn, call(heard));
  expect(result).toEqual({
    kind: 'answered',
    text: expect.stringMatching(/^é+$/),
    sessionId: 'session-1',
    usage: null,
    stopReason: stoppedAtLimit,
  });
  const pieces = Math.ceil(maxAnswerBytes / Buffer.byteLength(piece));
  expect(agent.sent).toBe(pieces);
  const said = heard.map((event) => (event.type === 'text.delta' ? event.text : '')).join('');
  expect(Buffer.byteLength(said)).toBe(maxAnswerBytes);
  expect(heard.slice(-2)).toEqual([
    { type: 'text.end', block_id: 'b', text: said },
    { type: 'turn.ended', stop_reason: stoppedAtLimit, usage: null },
  ]);
});

test.each([1, 3, maxAnswerBytes + 1, 20_000_000])(
  'a piece of %i characters is cut at the limit',
  async (length) => {
    const heard: EventBody[] = [];
    await boundedTurn(endlessAgent('合'.repeat(length)).turn, call(heard));
    const said = heard.map((event) => (event.type === 'text.delta' ? event.text : '')).join('');
    expect(said).toBe('合'.repeat(Math.floor(maxAnswerBytes / 3)));
  },
);

test('the largest answer passes unchanged, however many blocks precede it', async () => {
  const most = 'a'.repeat(maxAnswerBytes);
  const events: EventBody[] = ['1', '2', '3'].flatMap((id): EventBody[] => [
    { type: 'text.start', block_id: id, follow_up: false },
    { type: 'text.delta', block_id: id, text: most },
    { type: 'text.end', block_id: id, text: most },
  ]);
  const heard: EventBody[] = [];
  const answered: TurnResult = {
    kind: 'answered',
    text: most,
    sessionId: 's',
    usage: null,
    stopReason: null,
  };
  const result = await boundedTurn(async ({ emit }) => {
    for (const event of events) emit(event);
    return answered;
  }, call(heard));
  expect(result).toBe(answered);
  expect(heard).toEqual(events);
});

test('the agent’s end event of a stopped block has the text that was passed on', async () => {
  const heard: EventBody[] = [];
  await boundedTurn(async ({ emit, signal }) => {
    emit({ type: 'text.delta', block_id: 'b', text: 'a'.repeat(maxAnswerBytes + 5) });
    emit({ type: 'text.delta', block_id: 'b', text: 'more' });
    emit({ type: 'text.end', block_id: 'b', text: `${'a'.repeat(maxAnswerBytes + 5)}more` });
    signal.throwIfAborted();
    throw new Error('the turn was not stopped');
  }, call(heard));
  const kept = 'a'.repeat(maxAnswerBytes);
  expect(heard).toEqual([
    { type: 'text.delta', block_id: 'b', text: kept },
    { type: 'text.end', block_id: 'b', text: kept },
  ]);
});

test('the agent’s end event of a stopped turn has the limit as its reason', async () => {
  const heard: EventBody[] = [];
  await boundedTurn(async ({ emit, signal }) => {
    emit({ type: 'turn.started' });
    emit({ type: 'text.delta', block_id: 'b', text: 'a'.repeat(maxAnswerBytes + 1) });
    emit({ type: 'turn.ended', stop_reason: 'aborted', usage: null });
    signal.throwIfAborted();
    throw new Error('the turn was not stopped');
  }, call(heard));
  const ends = heard.filter(({ type }) => type === 'turn.ended');
  expect(ends).toEqual([{ type: 'turn.ended', stop_reason: stoppedAtLimit, usage: null }]);
});

test("a turn that the caller aborts rejects with the caller's reason", async () => {
  const stop = new AbortController();
  const turn = boundedTurn(endlessAgent('').turn, { ...call([]), signal: stop.signal });
  stop.abort(new Error('the caller'));
  await expect(turn).rejects.toThrow('the caller');
});

test('an answer of 20 MB that arrives at once is kept only until it is refused', async () => {
  const text = 'a'.repeat(20_000_000);
  const result = await maskedTurn(
    async () => ({ kind: 'answered', text, sessionId: null, usage: null, stopReason: null }),
    call([]),
  );
  expect(result.kind === 'answered' && result.text.length).toBe(maxAnswerBytes + 1);
  expect(result.kind === 'answered' && sizeProblem(result.text)).toMatch(/256 KiB is the limit$/);
});

const long = 'a'.repeat(100_000);

/** The events of one round of an agent that never ends, by the number of the round. */
const floods: Readonly<Record<string, (round: number) => readonly EventBody[]>> = {
  'text blocks': (round) => [
    { type: 'text.start', block_id: String(round), follow_up: round > 0 },
    { type: 'text.delta', block_id: String(round), text: long },
    { type: 'text.end', block_id: String(round), text: long },
  ],
  'text blocks that never end': (round) => [{ type: 'text.delta', block_id: String(round), text: long }],
  'pieces of two blocks in turns': (round) => [
    { type: 'text.delta', block_id: String(round % 2), text: 'a' },
  ],
  'empty blocks': (round) => [{ type: 'text.start', block_id: String(round), follow_up: false }],
  'tool calls': (round) => [toolCall(String(round), { file_path: 'a.ts', content: long.repeat(10) })],
  'arguments of many numbers': (round) => [
    toolCall(String(round), { list: Array.from({ length: 50_000 }, () => 1) }),
  ],
  'results with data': (round) => [
    toolCall(String(round), {}),
    {
      type: 'tool.result',
      call_id: String(round),
      name: 'Write',
      content: '',
      data: long,
      is_error: false,
      duration_ms: 0,
    },
  ],
  agents: (round) => [{ type: 'agent.started', agent_id: String(round), agent_type: 'x', description: 'y' }],
  'lines of another format': () => [{ type: 'raw', provider: 'codex', line: long }],
};

test.each(Object.entries(floods))('a turn that floods its run with %s is stopped', async (_name, roundOf) => {
  const heard: EventBody[] = [];
  let rounds = 0;
  const result = await boundedTurn(async ({ emit, signal }) => {
    emit({ type: 'turn.started' });
    for (; !signal.aborted; rounds += 1) for (const event of roundOf(rounds)) emit(event);
    for (const event of roundOf(rounds + 1)) emit(event);
    throw signal.reason;
  }, call(heard));
  expect(result).toMatchObject({ kind: 'answered', stopReason: stoppedAtTurnLimit });
  const sizeBytes = Buffer.byteLength(JSON.stringify(heard));
  expect(sizeBytes).toBeLessThan(1.5 * maxTurnEventBytes);
  expect(heard.at(-1)).toEqual({ type: 'turn.ended', stop_reason: stoppedAtTurnLimit, usage: null });
  expect(unendedIn(heard)).toEqual([]);
});

/** Everything that began and has not ended, as the laws of a journal count it. */
function unendedIn(events: readonly EventBody[]): readonly string[] {
  const open = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'text.delta') {
      open.set(`text ${event.block_id}`, (open.get(`text ${event.block_id}`) ?? '') + event.text);
    }
    if (event.type === 'tool.call') open.set(`call ${event.call_id}`, '');
    if (event.type === 'agent.started') open.set(`agent ${event.agent_id}`, '');
    if (event.type === 'tool.result') open.delete(`call ${event.call_id}`);
    if (event.type === 'agent.ended') open.delete(`agent ${event.agent_id}`);
    if (event.type === 'text.end' && (open.get(`text ${event.block_id}`) ?? '') === event.text) {
      open.delete(`text ${event.block_id}`);
    }
  }
  return [...open.keys()];
}

test('pieces of thinking, tool input and output are cut, and the turn goes on', async () => {
  const heard: EventBody[] = [];
  await boundedTurn(async ({ emit }) => {
    for (let round = 0; round < 100_000; round += 1) {
      emit({ type: 'thinking.delta', block_id: String(round % 2), text: 'a' });
      emit({ type: 'tool.input', call_id: 'c', name: 'Write', delta: 'a' });
      emit({ type: 'tool.output', call_id: 'd', chunk: 'a' });
    }
    return { kind: 'answered', text: 'Done.', sessionId: null, usage: null, stopReason: null };
  }, call(heard));
  expect(heard.length * 256).toBeLessThan(1.1 * maxTurnOutputBytes);
  expect(heard.filter(({ type }) => type === 'turn.ended')).toEqual([]);
});

test('the arguments of a call keep their form, and their texts are cut', async () => {
  const heard: EventBody[] = [];
  const most = 'é'.repeat(maxAnswerBytes);
  await boundedTurn(async ({ emit }) => {
    emit(toolCall('1', { file_path: 'a.ts', edits: [{ from: 'x', to: most }, 'left out'], more: 1 }));
    emit(toolCall('2', { file_path: 'b.ts', content: 'short' }));
    return { kind: 'answered', text: 'Done.', sessionId: null, usage: null, stopReason: null };
  }, call(heard));
  expect(heard).toEqual([
    toolCall('1', {
      file_path: 'a.ts',
      edits: [
        { from: 'x', to: expect.stringMatching(/^é+\n\[cut by collab: only the beginning is kept\]\n$/) },
      ],
    }),
    toolCall('2', { file_path: 'b.ts', content: 'short' }),
  ]);
  expect(Buffer.byteLength(JSON.stringify(heard))).toBeLessThan(maxAnswerBytes + 1000);
});

function toolCall(
  id: string,
  args: Extract<EventBody, { type: 'tool.call' }>['args'],
): Extract<EventBody, { type: 'tool.call' }> {
  return {
    type: 'tool.call',
    call_id: id,
    name: 'Write',
    display_name: 'Write',
    args,
    summary: 'a.ts',
    trigger: 'agent',
  };
}

/** Sends a piece per tick until it is aborted, and then rejects like an agent. */
function endlessAgent(text: string) {
  const agent = {
    sent: 0,
    turn: async ({ emit, signal, bind }: TurnCall): Promise<TurnResult> => {
      await bind('session-1');
      emit({ type: 'turn.started' });
      emit({ type: 'text.start', block_id: 'b', follow_up: false });
      for (; !signal.aborted; agent.sent += 1) {
        emit({ type: 'text.delta', block_id: 'b', text });
        if (text === '') await new Promise((resolve) => setImmediate(resolve));
      }
      throw signal.reason;
    },
  };
  return agent;
}

function call(heard: EventBody[]): TurnCall {
  return {
    prompt: '',
    callId: 'call-1',
    sessionId: null,
    signal: new AbortController().signal,
    emit: (event) => heard.push(event),
    bind: async () => {},
  };
}
