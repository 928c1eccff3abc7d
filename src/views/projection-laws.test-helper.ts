/** XB-6, for any projection of a run. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { CollabEvent } from '../events/collab-event.ts';

interface Projection {
  push(event: CollabEvent): readonly unknown[];
  end(): readonly unknown[];
}

type Runs = fc.Arbitrary<readonly CollabEvent[]>;

/** Events one by one give the same result as all at once. */
export function assertSameHoweverCut(runs: Runs, create: () => Projection): void {
  fc.assert(
    fc.property(runs, fc.nat(), (run, cut) => {
      const projection = create();
      const middle = cut % (run.length + 1);
      const first = run.slice(0, middle).flatMap((event) => projection.push(event));
      const second = run.slice(middle).flatMap((event) => projection.push(event));
      expect([...first, ...second, ...projection.end()]).toEqual(projectAll(run, create));
    }),
  );
}

/** A journal read from its text gives the same result as the live events. */
export function assertSameReplayed(runs: Runs, create: () => Projection): void {
  fc.assert(
    fc.property(runs, (run) => {
      const replayed = run.map((event): CollabEvent => JSON.parse(JSON.stringify(event)));
      expect(projectAll(replayed, create)).toEqual(projectAll(run, create));
    }),
  );
}

function projectAll(run: readonly CollabEvent[], create: () => Projection): readonly unknown[] {
  const projection = create();
  return [...run.flatMap((event) => projection.push(event)), ...projection.end()];
}
