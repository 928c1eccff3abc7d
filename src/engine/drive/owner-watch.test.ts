import { expect, test } from 'vitest';
import { Deferred } from '../../system/deferred.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import type { EngineStore } from '../store/engine-store.ts';
import { watchDriver } from './owner-watch.ts';

test('each departure of a driver is reported once, however often the watch is asked', async () => {
  const world = watched();
  expect([await world.watch.isDriven(), world.waits.length]).toEqual([false, 0]);
  world.owned = true;
  expect([await world.watch.isDriven(), await world.watch.isDriven()]).toEqual([true, true]);
  expect(world.waits.length).toBe(1);
  world.owned = false;
  world.waits[0]?.resolve(null);
  await expect.poll(() => world.departures).toBe(1);
  expect(await world.watch.isDriven()).toBe(false);
  world.owned = true;
  expect([await world.watch.isDriven(), world.waits.length]).toEqual([true, 2]);
});

test('a fault of the store while the driver is there counts as its departure', async () => {
  const world = watched();
  world.owned = true;
  await world.watch.isDriven();
  world.waits[0]?.reject(new Error('the connection broke'));
  await expect.poll(() => world.departures).toBe(1);
});

test('a watch that is closed waits no longer', async () => {
  const world = watched();
  world.owned = true;
  await world.watch.isDriven();
  world.watch.close();
  expect(world.signals.map(({ aborted }) => aborted)).toEqual([true]);
});

function watched() {
  const waits: Deferred<null>[] = [];
  const signals: AbortSignal[] = [];
  const world = { owned: false, departures: 0, waits, signals };
  const store = {
    isOwned: async () => world.owned,
    ask(_runFolder: string, _request: unknown, signal: AbortSignal) {
      const wait = new Deferred<null>();
      waits.push(wait);
      signals.push(signal);
      return wait.promise;
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two methods that are called
  const run = { runFolder: '/run', clock: createManualClock(), store: store as unknown as EngineStore };
  return Object.assign(world, { watch: watchDriver(run, () => void (world.departures += 1)) });
}
