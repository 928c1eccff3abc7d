import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { Deferred } from '../../system/deferred.ts';
import { createHeldConversations } from './conversation-locks.ts';

test('a request after the last record of a run waits until the run is put away', async () => {
  const [held, place] = [conversations(), placeIn(scratchFolder())];
  const before = await held.hold(place);
  const cleanup = new Deferred<void>();
  before.driving = cleanup.promise.then(() => held.letGo(before));
  before.hasEnded = true;
  const next = held.hold(place);
  cleanup.resolve();
  expect(await next).not.toBe(before);
});

test('a run that goes on refuses a second one, here and at another server', async () => {
  const [held, place] = [conversations(), placeIn(scratchFolder())];
  const holder = await held.hold(place);
  for (const other of [held, conversations()]) {
    await expect(other.hold(place)).rejects.toMatchObject({
      code: 'locked',
      message: 'Another run is active in this conversation; send this again when it has ended.',
    });
  }
  expect(held.all()).toEqual([holder]);
  await held.letGo(holder);
  expect([held.all(), held.holder(place)]).toEqual([[], undefined]);
});

const conversations = () => createHeldConversations(async () => ({ ok: true, state: 'running' }));
const placeIn = (folder: string) => ({ tenant: 'acme', id: 'first', home: folder, folder });
