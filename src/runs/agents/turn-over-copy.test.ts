import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import type { TurnRequest, TurnResult } from '../../providers/contract/contract.ts';
import { Deferred } from '../../system/deferred.ts';
import { turnOverCopy } from './turn-over-copy.ts';

const toolCall: EventBody = {
  type: 'tool.call',
  call_id: '1',
  name: 'shell',
  display_name: 'shell',
  args: {},
  summary: 'ls',
  trigger: 'agent',
};
const answer: TurnResult = { kind: 'answered', text: 'done', sessionId: 's', usage: null, stopReason: null };
const cut: TurnResult = { kind: 'cut', message: 'interrupted', sessionId: 's', uncounted: true };

async function readAtOnce(call: TurnRequest): Promise<TurnResult> {
  call.emit(toolCall);
  expect(call.interrupt?.aborted).toBe(true);
  return cut;
}

/** A copy that is complete when the test says so, and an agent whose turns the test plays. */
function scene() {
  const filled = new Deferred<void>();
  const state = {
    isWhole: false,
    isFilling: false,
    turns: 0,
    isLongWhole: false,
    early: [] as string[],
    bound: [] as string[][],
  };
  const events: EventBody[] = [];
  const stop = new AbortController();
  // eslint-disable-next-line typescript/no-unsafe-type-assertion
  const request = {
    prompt: 'review',
    callId: 'c',
    sessionId: null,
    signal: stop.signal,
    emit: (event: EventBody) => void events.push(event),
    bind: async () => void state.bound.push([...state.early]),
  } as unknown as TurnRequest;
  const copy = {
    isWhole: (forMs = 0) => state.isWhole && (forMs === 0 || state.isLongWhole),
    fillRest: () => void (state.isFilling = true),
    async whole() {
      state.isFilling = true;
      await filled.promise;
      state.isWhole = true;
    },
    markEarly(sessionId: string, isEarly: boolean) {
      state.early = [
        ...state.early.filter((marked) => marked !== sessionId),
        ...(isEarly ? [sessionId] : []),
      ];
    },
    isEarly: (sessionId: string) => state.early.includes(sessionId),
  };
  const play = (interruptible: boolean, ...turns: readonly ((call: TurnRequest) => Promise<TurnResult>)[]) =>
    turnOverCopy(
      (call) => {
        state.turns += 1;
        return turns[state.turns - 1]?.(call) ?? Promise.reject(new Error('no more turns'));
      },
      request,
      { copy, agent: interruptible ? { interruptible: true } : {} },
    );
  return { state, events, stop, filled, play };
}

test('an agent runs while the files are copied; copying the remaining ones starts with its turn', async () => {
  const { state, events, play } = scene();
  const begin = async (call: TurnRequest) => {
    expect(state.isFilling).toBe(false);
    call.emit({ type: 'turn.started' });
    expect(state.isFilling).toBe(true);
    return answer;
  };
  expect([await play(true, begin), state.turns, events.map(({ type }) => type)]).toEqual([
    answer,
    1,
    ['turn.started'],
  ]);
});

test('a tool call that comes too early interrupts the turn; the prompt is sent again after the copy', async () => {
  const { state, events, filled, play } = scene();
  const second = async (call: TurnRequest) => {
    expect([state.isWhole, call.interrupt]).toEqual([true, undefined]);
    call.emit(toolCall);
    return answer;
  };
  const played = play(true, readAtOnce, second);
  filled.resolve();
  expect([await played, state.turns, events.map(({ type }) => type)]).toEqual([
    answer,
    2,
    ['tool.call', 'error', 'tool.call'],
  ]);
  expect(events[1]).toMatchObject({
    message: 'it read files before all of them were copied; it is asked again',
  });
});

test('a tool event that arrives just after the copy may have started before', async () => {
  const { state, filled, play } = scene();
  const first = async (call: TurnRequest) => {
    state.isWhole = true;
    call.emit(toolCall);
    return answer;
  };
  filled.resolve();
  await play(true, first, async () => answer);
  expect(state.turns).toBe(2);
});

test('an answer that arrives despite the interruption does not count', async () => {
  const { filled, play } = scene();
  filled.resolve();
  const early = async (call: TurnRequest): Promise<TurnResult> => {
    call.emit(toolCall);
    return { ...answer, text: 'half of the files' };
  };
  expect(await play(true, early, async () => answer)).toEqual(answer);
});

test('an agent that cannot be interrupted waits for the copy', async () => {
  const { state, filled, play } = scene();
  const played = play(false, async () => {
    expect(state.isWhole).toBe(true);
    return answer;
  });
  expect(state.turns).toBe(0);
  filled.resolve();
  expect([await played, state.turns]).toEqual([answer, 1]);
});

test('a stopped run does not wait for the copy; a failed copy ends the turn', async () => {
  const stopped = scene();
  const waiting = stopped.play(false);
  stopped.stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  const failed = scene();
  failed.filled.reject(new Error('the disk is full'));
  await expect(failed.play(false)).rejects.toThrow('the disk is full');
});

test('a session is marked before it is bound, until no early tool can be running', async () => {
  const { state, filled, play } = scene();
  filled.resolve();
  const marks: string[][] = [];
  const early = async (call: TurnRequest) => {
    await call.bind('one');
    call.emit(toolCall);
    state.isLongWhole = state.isWhole = true;
    call.emit({ type: 'turn.started' });
    marks.push([...state.early]);
    state.isWhole = false;
    return cut;
  };
  const again = async (call: TurnRequest) => {
    await call.bind('two');
    return answer;
  };
  expect(await play(true, early, again)).toEqual(answer);
  expect([state.bound, marks]).toEqual([[['one'], ['one']], [['one']]]);
});

test('a session that used no tool before the copy was whole loses its mark', async () => {
  const { state, play } = scene();
  const patient = async (call: TurnRequest) => {
    await call.bind('one');
    state.isWhole = true;
    call.emit({ type: 'turn.started' });
    expect(state.early).toEqual(['one']);
    state.isLongWhole = true;
    call.emit(toolCall);
    expect(state.early).toEqual([]);
    return answer;
  };
  expect(await play(true, patient)).toEqual(answer);
  const other = scene();
  await other.play(true, async (call) => {
    await call.bind('two');
    return answer;
  });
  expect([other.state.bound, other.state.early]).toEqual([[['two']], []]);
});
