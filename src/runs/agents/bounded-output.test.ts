import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { maxAnswerBytes, maxTurnOutputBytes, outputCut } from '../../parsers/markdown/answer-size.ts';
import type { TurnCall, TurnResult } from '../../providers/contract/contract.ts';
import { boundedTurn } from './bounded-turn.ts';

const answered: TurnResult = {
  kind: 'answered',
  text: 'Done.',
  sessionId: null,
  usage: null,
  stopReason: null,
};

/** Performs a turn with these events; returns those that are passed on. */
async function heardOf(events: Iterable<EventBody>): Promise<readonly EventBody[]> {
  const heard: EventBody[] = [];
  const call: Omit<TurnCall, 'emit'> = {
    prompt: '',
    callId: 'call-1',
    sessionId: null,
    signal: new AbortController().signal,
    limits: { firstSignMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
    bind: async () => {},
  };
  const turn = await boundedTurn(
    async ({ emit }) => {
      for (const event of events) emit(event);
      return answered;
    },
    { ...call, emit: (event: EventBody) => void heard.push(event) },
  );
  expect(turn).toBe(answered);
  return heard;
}

function thought(id: string, text: string): EventBody {
  return { type: 'thinking.delta', block_id: id, text };
}

function output(id: string, chunk: string): EventBody {
  return { type: 'tool.output', call_id: id, chunk };
}

function result(id: string, content: string): EventBody {
  return { type: 'tool.result', call_id: id, name: 'Bash', content, is_error: false, duration_ms: 0 };
}

test.each([
  ['thinking', thought],
  ['the output of a tool', output],
])('%s is kept up to the size of an answer, with one note about the cut', async (_name, make) => {
  const most = 'é'.repeat(maxAnswerBytes / 2);
  const heard = await heardOf([
    make('1', most),
    make('1', 'more'),
    make('1', 'and more'),
    make('2', 'short'),
  ]);
  expect(heard).toEqual([make('1', most), make('1', outputCut), make('2', 'short')]);
});

test.each([1, 7, 20_000_000])('a piece of %i characters is cut in whole characters', async (length) => {
  const pieces = Array.from({ length: Math.ceil(maxAnswerBytes / length) + 1 }, () =>
    thought('1', '合'.repeat(length)),
  );
  const said = (await heardOf(pieces)).map((event) => (event.type === 'thinking.delta' ? event.text : ''));
  expect(said.join('')).toBe(`${'合'.repeat(Math.floor(maxAnswerBytes / 3))}${outputCut}`);
});

test('a result is cut too, and is always delivered', async () => {
  const most = 'a'.repeat(maxAnswerBytes);
  const heard = await heardOf([output('1', most), result('1', `${most}b`), result('2', 'short')]);
  expect(heard).toEqual([output('1', most), result('1', `${most}${outputCut}`), result('2', 'short')]);
});

test('a block that ended makes no room for another, so a turn cannot grow without a limit', async () => {
  const most = 'a'.repeat(maxAnswerBytes);
  const blocks = Array.from({ length: 200 }, (_, index) => String(index));
  const ends = blocks.map((id): readonly EventBody[] => [
    thought(id, most),
    { type: 'thinking.end', block_id: id },
    output(id, most),
    result(id, most),
  ]);
  const heard = await heardOf(ends.flat());
  const sizeBytes = Buffer.byteLength(JSON.stringify(heard));
  expect(sizeBytes).toBeGreaterThan(maxTurnOutputBytes);
  expect(sizeBytes).toBeLessThan(1.1 * maxTurnOutputBytes);
  expect(heard.filter(({ type }) => type === 'tool.result')).toHaveLength(blocks.length);
  expect(heard.at(-1)).toEqual(result('199', outputCut));
});
