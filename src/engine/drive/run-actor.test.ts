import { expect, test } from 'vitest';
import { runMachine } from './run-actor.ts';

test('the output of a machine that is done is its end, whatever is canceled later', async () => {
  const { actor, log, snapshots } = scriptedActor();
  const cancelled = new AbortController();
  const ending = runMachine(actor, { signal: new AbortController().signal }, cancelled.signal, ends);
  snapshots.next({ status: 'active' });
  snapshots.next({ status: 'done', output: 7 });
  cancelled.abort();
  expect(await ending).toBe('done 7');
  expect(log).toEqual(['started', 'stopped']);
});

test.each(['before', 'after'])(
  'a run that is canceled %s its start stops its machine and ends',
  async (when) => {
    const { actor, log } = scriptedActor();
    const cancelled = new AbortController();
    if (when === 'before') cancelled.abort();
    const ending = runMachine(actor, { signal: new AbortController().signal }, cancelled.signal, ends);
    cancelled.abort();
    expect(await ending).toBe('cancelled');
    expect(log).toEqual(['started', 'stopped']);
  },
);

test('a run that leaves stops its machine, which then has no end', async () => {
  const { actor, log } = scriptedActor();
  const left = new AbortController();
  const ending = runMachine(actor, left, new AbortController().signal, ends);
  left.abort();
  expect(log).toEqual(['started', 'stopped']);
  expect(await Promise.race([ending, Promise.resolve('pending')])).toBe('pending');
});

test('the fault of a machine is the fault of its run', async () => {
  const { actor, snapshots } = scriptedActor();
  const never = new AbortController().signal;
  const ending = runMachine(actor, { signal: never }, never, ends);
  snapshots.error(new Error('broken'));
  await expect(ending).rejects.toThrow('broken');
});

const ends = { done: (output: number) => `done ${output}`, cancelled: () => 'cancelled' };

type Actor = Parameters<typeof runMachine<number, string>>[0];
type Observer = Parameters<Actor['subscribe']>[0];

function scriptedActor() {
  const log: string[] = [];
  const observers: Observer[] = [];
  const actor: Actor = {
    subscribe: (observer) => observers.push(observer),
    start: () => log.push('started'),
    stop: () => log.push('stopped'),
  };
  const snapshots: Observer = {
    next: (snapshot) => observers.forEach((observer) => observer.next(snapshot)),
    error: (fault) => observers.forEach((observer) => observer.error(fault)),
  };
  return { actor, log, snapshots };
}
