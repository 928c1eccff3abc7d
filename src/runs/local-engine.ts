/** The engine port over the runs of one home folder: everything that a command or a server may request for them. */
import type { CollabEvent } from '../events/collab-event.ts';
import type { Clock } from '../system/clock.ts';
import type { Engine } from '../engine/port.ts';
import { followJournal } from './folder/follow-journal.ts';
import { answerRun, requestCancel, runState } from '../engine/drive/other-process.ts';
import { resolveRun } from './folder/run-folder.ts';

export interface LocalEngineOptions {
  readonly home: string;
  readonly clock: Clock;
}

/** Each method throws CollabError `run_not_found` for a run that does not exist. */
export function createLocalEngine({ home, clock }: LocalEngineOptions): Engine {
  const folderOf = (runId: string): string => resolveRun(home, runId).path;
  return {
    events: (runId, after = 0) => liveEvents(folderOf(runId), clock, after),
    async answer(runId, name, value) {
      await answerRun({ runFolder: folderOf(runId), clock, name, value, by: 'user' });
    },
    async cancel(runId) {
      await requestCancel({ runFolder: folderOf(runId), clock });
    },
    async status(runId) {
      return runState(folderOf(runId));
    },
  };
}

/** A reader that leaves its loop ends the following, even if no record is being written. */
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
