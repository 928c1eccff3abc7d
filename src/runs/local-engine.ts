/** The engine port over the runs of one home folder: what a command or a server may ask of any of them. */
import type { CollabEvent } from '../events/collab-event.ts';
import type { Clock } from '../system/clock.ts';
import type { Engine } from '../engine/types.ts';
import { followJournal } from './folder/follow-journal.ts';
import { answerRun, cancelRun, runState } from '../engine/drive/other-process.ts';
import { resolveRun } from './folder/run-folder.ts';

export interface LocalEngineOptions {
  readonly home: string;
  readonly clock: Clock;
}

/** Each method throws CollabError `run_not_found` for a run that is not there. */
export function createLocalEngine({ home, clock }: LocalEngineOptions): Engine {
  const folderOf = (runId: string): string => resolveRun(home, runId).path;
  return {
    events: (runId, after = 0) => liveEvents(folderOf(runId), clock, after),
    async answer(runId, name, value) {
      await answerRun({ runFolder: folderOf(runId), clock, name, value, by: 'user' });
    },
    async cancel(runId) {
      await cancelRun({ runFolder: folderOf(runId), clock });
    },
    async status(runId) {
      return runState(folderOf(runId));
    },
  };
}

/** A reader that leaves its loop ends the following, also while nothing is written. */
function liveEvents(runFolder: string, clock: Clock, after: number): AsyncIterable<CollabEvent> {
  return {
    [Symbol.asyncIterator]() {
      const stop = new AbortController();
      const events = followJournal({ runFolder, clock, after, signal: stop.signal });
      return {
        next: () => events.next(),
        return() {
          stop.abort();
          return events.return(undefined);
        },
      };
    },
  };
}
