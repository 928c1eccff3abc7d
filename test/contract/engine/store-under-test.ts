/** The stores that the contract is proved for, and the runs that its tests make in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerFromOutside, PerformOptions } from '../../../src/engine/drive/perform-options.ts';
import { performRun } from '../../../src/engine/drive/perform-run.ts';
import type { EngineStore } from '../../../src/engine/store/engine-store.ts';
import { createManualClock } from '../../../src/system/manual-clock.test-helper.ts';
import { openEngine } from '../../../src/runs/engine/open-engine.ts';
import { newRunId } from '../../../src/runs/folder/run-folder.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { endedWith, scriptedEnvelope, scriptedStart } from './scripted-review.ts';

export interface StoreUnderTest {
  readonly name: string;
  /** The store of the process that drives. */
  readonly store: EngineStore;
  /** The store of any other process. */
  readonly other: EngineStore;
  /** Takes the run from its owner, which is alive and does not know. */
  readonly takeFrom: (runFolder: string) => Promise<void>;
}

export function createTestRuns({ store, other, takeFrom }: StoreUnderTest) {
  const clock = createManualClock();
  const folders: string[] = [];
  /** The outer port, as any process but the driver uses it. */
  const engine = openEngine({ clock: systemClock, store: other });

  return {
    engine,
    create() {
      const parent = mkdtempSync(join(tmpdir(), 'collab-engine-'));
      folders.push(parent);
      const runId = newRunId(systemClock);
      const folder = join(parent, runId);
      const found = { runId, path: folder };
      const questions = async () => (await engine.status(found)).open;
      return {
        folder,
        found,
        record: () => engine.records(found),
        takeFrom: () => takeFrom(folder),
        answer: (name: string, value: unknown, by: AnswerFromOutside['by'] = 'user') =>
          engine.answer(found, { name, value, by }),
        cancel: () => engine.cancel(found),
        questions,
        /** Resolves when other processes see this question. */
        async asks(name: string): Promise<void> {
          for (;;) {
            const open = await questions().catch(() => []);
            if (open.some((question) => question.name === name)) return;
            await nextTurn();
          }
        },
        state: async () => (await engine.status(found)).state,
        wait: (signal: AbortSignal) => engine.untilFree(found, signal),
        drive: <Result>(options: Partial<PerformOptions<Result>> & Pick<PerformOptions<Result>, 'body'>) =>
          performRun<Result>({
            runFolder: folder,
            envelope: { ...scriptedEnvelope, runId },
            clock,
            store,
            signal: new AbortController().signal,
            start: scriptedStart,
            settle: () => endedWith('success'),
            ...options,
          }),
      };
    },
    clear(): void {
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
  };
}
