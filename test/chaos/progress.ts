/** Counts the records of a round, so that its moments do not depend on the speed of the machine. */
import type { JournalLine } from '../../src/engine/journal/journal-line.ts';

export interface Progress {
  readonly count: (line: JournalLine) => void;
  /** Counts the end of a run. */
  readonly end: () => void;
  readonly so: () => number;
  /** Resolves after so many records in all, or when all runs have ended. */
  readonly reached: (records: number) => Promise<void>;
}

export function createProgress(runs: number): Progress {
  let [records, ended] = [0, 0];
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const one of waiting) one();
  };
  return {
    count() {
      records += 1;
      look();
    },
    end() {
      ended += 1;
      look();
    },
    so: () => records,
    reached: (wanted) =>
      new Promise((resolve) => {
        const one = (): void => {
          if (records < wanted && ended < runs) return;
          waiting.delete(one);
          resolve();
        };
        waiting.add(one);
        one();
      }),
  };
}
