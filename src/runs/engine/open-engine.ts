/** The engine over a store: by default the embedded one, whose runs are folders. Results and inputs are files of the folders. */
import { answerRun, noteRefusal, waitForOwner } from '../../engine/drive/other-process.ts';
import { embeddedStore } from '../../engine/store/embedded-store.ts';
import type { EngineStore } from '../../engine/store/engine-store.ts';
import type { CollabEvent } from '../../events/collab-event.ts';
import type { Clock } from '../../system/clock.ts';
import { openRun } from '../folder/opened-run.ts';
import { readRunResult } from '../folder/named-result.ts';
import { listRuns, resolveRun, type RunFolder } from '../folder/run-folder.ts';
import { readStanding } from '../folder/run-status.ts';
import { inputIfReadable } from '../folder/run-title.ts';
import type { Engine } from './engine.ts';

export interface EngineOptions {
  readonly clock: Clock;
  /** The environment of git; default: the process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly store?: EngineStore;
}

export function openEngine({ clock, env = process.env, store = embeddedStore }: EngineOptions): Engine {
  const outside = ({ path: runFolder }: RunFolder) => ({ runFolder, clock, store });
  return {
    async start(home, run) {
      const { startInFolder } = await import('./start-in-folder.ts');
      return startInFolder(home, run, clock);
    },
    list: async (home) => listRuns(home),
    find: async (home, wanted) => openRun(resolveRun(home, wanted)),
    async conversation(home, run) {
      return (await import('../folder/runs-of-conversation.ts')).runsOfConversation(home, run);
    },
    async describeAll(home) {
      const [{ listWithIndex }, { describeAnyListed }] = await Promise.all([
        import('../folder/run-index.ts'),
        import('../folder/listed-run.ts'),
      ]);
      return listWithIndex(home, listRuns(home), describeAnyListed);
    },
    describe: async (run) => (await import('../folder/listed-run.ts')).describeListed(run),
    status: (run) => readStanding(run.path, store),
    isDriven: (run) => store.isOwned(run.path),
    ends: (run) => store.ends(run.path),
    records: (run) => recordsOfRun(store, run, clock),
    async *events(run, after, signal) {
      const { followJournalInBatches } = await import('../folder/follow-journal.ts');
      yield* followJournalInBatches({ ...outside(run), after, signal });
    },
    text: (run, name) => store.text(run.path, name),
    result: async (run) => readRunResult(run),
    input: async (run) => inputIfReadable(run.path),
    async keptText({ path: runFolder }, path) {
      const input = inputIfReadable(runFolder);
      if (input?.kind !== 'review') return null;
      const { readKeptText } = await import('../review/kept-text.ts');
      return readKeptText({ input, path, env });
    },
    storedCopy: () => Promise.resolve(null),
    answer: (run, answer) => answerRun({ ...outside(run), ...answer }),
    refuse: (run, message) => noteRefusal(outside(run), message),
    async cancel(run) {
      const { endRun } = await import('../continue-run.ts');
      return endRun({ ...outside(run), runId: run.runId, env });
    },
    untilFree: (run, signal) => waitForOwner(outside(run), signal),
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

export async function recordsOfRun(
  store: EngineStore,
  { path }: RunFolder,
  clock: Clock,
): Promise<readonly CollabEvent[]> {
  const records = store.read(path, clock);
  const events: CollabEvent[] = [];
  try {
    for (;;) {
      const lines = await records.next();
      for (const { event } of lines) events.push(event);
      if (lines.length > 0) continue;
      // The store says which run it does not hold.
      if (events.length === 0) await store.recall(path);
      return events;
    }
  } finally {
    await records.close();
  }
}
