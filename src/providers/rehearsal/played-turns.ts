/** Counts the plays of each turn of the script, over all processes of the run. */
import { dirname, join } from 'node:path';
import { makeFolder, realPlace } from '../../system/files/in-folder.ts';
import { readIfThere } from '../../system/files/read.ts';
import { appendLine } from '../../system/files/write.ts';

export interface PlayedTurns {
  count(index: number): number;
  /** Reserves the turn for a call in flight; the returned function releases it, or marks it as played. */
  take(index: number): (end: 'played' | 'aborted') => void;
}

/** Creates the counter. A call that died with its process has not used its turn: repeated, it gets the same answer. */
export function createPlayedTurns(stateFolder: string): PlayedTurns {
  const path = join(realPlace(stateFolder), 'rehearsal', 'played');
  makeFolder(dirname(path));
  const counts = new Map<number, number>();
  const add = (index: number, amount: number): void =>
    void counts.set(index, (counts.get(index) ?? 0) + amount);
  for (const line of (readIfThere(path) ?? '').split('\n').slice(0, -1)) add(Number(line), 1);
  return {
    count: (index) => counts.get(index) ?? 0,
    take(index) {
      add(index, 1);
      return (end) => {
        if (end === 'aborted') add(index, -1);
        else appendLine(path, String(index));
      };
    },
  };
}
