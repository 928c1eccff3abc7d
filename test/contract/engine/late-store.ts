/** The embedded store as one that makes records durable later, as a database does, or when a test lets it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CollabError } from '../../../src/errors/collab-error.ts';
import { embeddedStore } from '../../../src/engine/store/embedded-store.ts';
import type { EngineStore } from '../../../src/engine/store/engine-store.ts';
import { Deferred } from '../../../src/system/deferred.ts';

export function createLateStore() {
  let held: Deferred<void> | null = null;
  const taken = new AbortController();
  const store: EngineStore = {
    ...embeddedStore,
    async claim(options) {
      const claim = await embeddedStore.claim(options);
      return {
        ...claim,
        lost: taken.signal,
        durable: () => held?.promise ?? nextTurn(),
        blobs: { ...claim.blobs, get: async (name) => claim.blobs.get(name) },
      };
    },
  };
  return {
    store,
    /** From now on, nothing becomes durable. */
    hold(): void {
      held = new Deferred();
    },
    letGo(): void {
      held?.resolve();
      held = null;
    },
    isHeld: (): boolean => held !== null,
    /** Held records are never durable; by default because the run belongs to another process. */
    lose(why: Error = new CollabError('locked', 'another process has taken over')): void {
      held?.reject(why);
      held = null;
    },
    takeAway: (): void => taken.abort(),
  };
}
