import { expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { createEmitter, deltaLimitBytes, deltaWindowMs } from './event-emitter.ts';
import type { EventScope } from '../port.ts';
import type { RecordDraft } from '../journal/journal.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';

test('X002-29.3 deltas of one block are written as one after the window', async () => {
  const { clock, emitter, writes } = setUp();
  for (const text of ['a', 'b', 'c']) emitter.emit(delta('1', text));
  await clock.advance(deltaWindowMs - 1);
  expect(writes).toEqual([]);
  await clock.advance(1);
  expect(writes).toEqual([[{ body: delta('1', 'abc'), turn: 4, step: 's' }]]);
});

test('deltas of 4 KiB are written immediately', () => {
  const { emitter, writes } = setUp();
  emitter.emit(delta('1', 'ä'.repeat(deltaLimitBytes / 2 - 1)));
  expect(writes).toEqual([]);
  emitter.emit(delta('1', 'ä'));
  expect(bodies(writes)).toEqual([[delta('1', 'ä'.repeat(deltaLimitBytes / 2))]]);
});

test('another block, kind or scope is not merged, and the order is kept', async () => {
  const { clock, emitter, writes } = setUp();
  emitter.emit(delta('1', 'a'), { exchangeId: 'e' });
  emitter.emit(delta('2', 'b'), { exchangeId: 'e' });
  emitter.emit({ type: 'thinking.delta', block_id: '2', text: 'c' }, { exchangeId: 'e' });
  emitter.emit(delta('1', 'd'), { exchangeId: 'other' });
  emitter.emit(delta('1', 'e'), { exchangeId: 'other' });
  await clock.advance(deltaWindowMs);
  expect(bodies(writes)).toEqual([
    [
      delta('1', 'a'),
      delta('2', 'b'),
      { type: 'thinking.delta', block_id: '2', text: 'c' },
      delta('1', 'de'),
    ],
  ]);
});

test.each<[string, EventScope, EventScope]>([
  ['exchange', { exchangeId: 'e' }, { exchangeId: 'other' }],
  ['parent', { parentAgentId: 'lead' }, {}],
  ['agent', { agent: advisor('1') }, { agent: advisor('2') }],
])('deltas of one block with another %s are not merged', (_what, first, second) => {
  const { emitter } = setUp();
  emitter.emit(delta('1', 'a'), first);
  emitter.emit(delta('1', 'b'), second);
  expect(emitter.take()).toMatchObject([first, second]);
});

test('other events are written at the end of the tick, after earlier deltas', async () => {
  const { emitter, writes } = setUp();
  emitter.emit(delta('1', 'a'));
  emitter.emit({ type: 'text.end', block_id: '1', text: 'a' });
  expect(writes).toEqual([]);
  await tick();
  expect(bodies(writes)).toEqual([[delta('1', 'a'), { type: 'text.end', block_id: '1', text: 'a' }]]);
});

test('events are not written twice', async () => {
  const { clock, emitter, writes } = setUp();
  emitter.emit(delta('1', 'a'));
  emitter.emit({ type: 'title', title: 't' });
  expect(emitter.take()).toHaveLength(2);
  await tick();
  await clock.advance(deltaWindowMs);
  expect(writes).toEqual([]);
});

test('the start of a model turn counts for the events after it', () => {
  const { emitter } = setUp();
  emitter.emit({ type: 'title', title: 'before' });
  emitter.emit({ type: 'turn.started' });
  emitter.emit({ type: 'title', title: 'after' });
  expect(emitter.take().map(({ turn }) => turn)).toEqual([4, 5, 5]);
});

function setUp() {
  const clock = createManualClock();
  const writes: (readonly RecordDraft[])[] = [];
  const emitter = createEmitter({
    step: 's',
    clock,
    turn: 4,
    beginTurn: () => 5,
    write: (drafts) => writes.push(drafts),
  });
  return { clock, emitter, writes };
}

function bodies(writes: readonly (readonly RecordDraft[])[]) {
  return writes.map((drafts) => drafts.map(({ body }) => body));
}

function delta(block_id: string, text: string): EventBody {
  return { type: 'text.delta', block_id, text };
}

function tick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function advisor(id: string) {
  return { id, role: 'advisor', provider: 'codex' } as const;
}
