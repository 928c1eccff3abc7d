import { afterAll, beforeAll } from 'vitest';
import { inPlace, type Place } from './place.ts';

/** Opens one world in a place for all tests of a file or a `describe`. With `sdks`, packages of vendors are installed there. */
export function shared<World>(
  open: (place: Place) => Promise<World>,
  sdks: readonly string[] = [],
): () => World {
  let known: { readonly world: World } | undefined;
  let leave: (() => void) | undefined;
  let left: Promise<void> = Promise.resolve();
  beforeAll(
    () =>
      new Promise<void>((resolve, reject) => {
        left = inPlace(async (place) => {
          known = { world: await open(place) };
          resolve();
          await new Promise<void>((done) => (leave = done));
        }, sdks);
        left.catch(reject);
      }),
  );
  afterAll(async () => {
    leave?.();
    await left;
  });
  return () => {
    if (known === undefined) throw new Error('the world has not been opened');
    return known.world;
  };
}
