/** The embedded store as one that makes records durable later, as a database does, or when a test lets it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CollabError } from '../../../src/errors/collab-error.ts';
import { embeddedStore } from '../../../src/engine/store/embedded-store.ts';
import type { EngineStore } from '../../../src/engine/store/engine-store.ts';
import { Deferred } from '../../../src/system/deferred.ts';

export function createLateStore() {
  let held: Deferred<void> | null = null;
  let isTakenAfterReply = false;
  const taken = new AbortController();
  const store: EngineStore = {
    ...embeddedStore,
    async claim(options) {
      const claim = await embeddedStore.claim(options);
      let isBehind = false;
      const reply = async (): Promise<void> => {
        await nextTurn();
        isBehind = false;
      };
      return {
        ...claim,
        lost: taken.signal,
        append(drafts) {
          isBehind = true;
          return claim.append(drafts);
        },
        durable() {
          if (held !== null) return held.promise;
          if (isBehind) return reply();
          return isTakenAfterReply ? Promise.reject(takenOver()) : null;
        },
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
    /** Records still become durable; who asks afterward hears that the run belongs to another process. */
    takeAfterReply(): void {
      isTakenAfterReply = true;
    },
    isHeld: (): boolean => held !== null,
    /** Held records are never durable; by default because the run belongs to another process. */
    lose(why: Error = takenOver()): void {
      held?.reject(why);
      held = null;
    },
    takeAway: (): void => taken.abort(),
  };
}

function takenOver(): CollabError {
  return new CollabError('locked', 'another process has taken over');
}
