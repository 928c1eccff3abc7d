import { expect, test } from 'vitest';
import type { FollowRunOptions } from '../../../src/client/follow-run.ts';
import { ended, eventStream, said, started } from '../../../test/fixtures/screens/event-streams.ts';
import { foldRun } from '../fold/run-fold.test-helper.ts';
import { createRunStore, type RunStore } from './run-store.ts';

const events = eventStream([started(), ...said('one two three four five six'), ended()]);

/** A store whose frames the test draws, and whose events come from `follow`. */
function storeOf(follow: (options: FollowRunOptions) => AsyncIterable<(typeof events)[number]>) {
  const frames: (() => void)[] = [];
  const store = createRunStore({
    client: { follow: (_conversation, _run, options) => follow(options) },
    conversation: 'c',
    run: 'r',
    schedule: (draw) => frames.push(draw),
  });
  const drawAll = () => {
    for (let draw = frames.shift(); draw !== undefined; draw = frames.shift()) draw();
  };
  return { store, frames, drawAll };
}

function reached({ subscribe, getState }: RunStore, connection: string): Promise<void> {
  return new Promise((resolve) => {
    const leave = subscribe(() => {
      if (getState().connection !== connection) return;
      leave();
      resolve();
    });
  });
}

test('many events are drawn in one frame, and the end is reported', async () => {
  const { store, frames, drawAll } = storeOf(async function* () {
    yield* events;
  });
  let told = 0;
  store.subscribe(() => (told += 1));
  const over = reached(store, 'over');
  store.follow();
  await over;
  expect(frames).toHaveLength(1);
  expect(store.getState().run.entries).toEqual([]);
  told = 0;
  drawAll();
  expect(told).toBe(1);
  expect(store.getState().run).toEqual(foldRun(events));
});

test('a restored connection says so, and continues after the last event', async () => {
  const afters: (number | undefined)[] = [];
  const { store, drawAll } = storeOf(async function* ({ after, onConnection }) {
    afters.push(after);
    onConnection?.('open');
    yield* events.slice(after ?? 0, (after ?? 0) + 3);
    onConnection?.('waiting');
    onConnection?.('open');
    throw new Error('The stream was lost');
  });
  const seen: string[] = [];
  store.subscribe(() => seen.push(store.getState().connection));
  const lost = reached(store, 'lost');
  store.follow();
  await lost;
  drawAll();
  expect(seen).toEqual(['open', 'waiting', 'resumed', 'lost', 'lost']);
  const again = reached(store, 'lost');
  store.follow();
  await reached(store, 'resumed');
  await again;
  drawAll();
  expect(afters).toEqual([0, 3]);
  expect(store.getState().run.lastSeq).toBe(6);
});

test('a closed store gets no more events', async () => {
  const aborted: boolean[] = [];
  const { store, frames } = storeOf(async function* ({ signal }) {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    aborted.push(signal.aborted);
    yield* events;
  });
  store.follow();
  store.close();
  await new Promise((resolve) => setImmediate(resolve));
  expect(aborted).toEqual([true]);
  expect(frames).toEqual([]);
});
