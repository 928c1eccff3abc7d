import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { maxAnswerBytes, sizeProblem, stoppedAtLimit } from '../../parsers/markdown/answer-size.ts';
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
