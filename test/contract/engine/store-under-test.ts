/** The stores that the contract is proved for, and the runs that its tests make in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import {
  answerRun,
  openQuestions,
  requestCancel,
  runState,
  waitForOwner,
} from '../../../src/engine/drive/other-process.ts';
import type { AnswerFromOutside, PerformOptions } from '../../../src/engine/drive/perform-options.ts';
import { performRun } from '../../../src/engine/drive/perform-run.ts';
import type { EngineStore } from '../../../src/engine/store/engine-store.ts';
import { createManualClock } from '../../../src/system/manual-clock.test-helper.ts';
import { newRunId } from '../../../src/runs/folder/run-folder.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { endedWith, scriptedEnvelope, scriptedStart } from './scripted-review.ts';

export interface StoreUnderTest {
  readonly name: string;
  /** The store of the process that drives. */
  readonly store: EngineStore;
  /** The store of any other process. */
  readonly other: EngineStore;
  /** All records of the run, as another process reads them. */
  readonly record: (runFolder: string) => Promise<readonly CollabEvent[]>;
  /** Takes the run from its owner, which is alive and does not know. */
  readonly takeFrom: (runFolder: string) => Promise<void>;
}

export function createTestRuns({ store, other, record, takeFrom }: StoreUnderTest) {
  const clock = createManualClock();
  const folders: string[] = [];

  return {
    create() {
      const parent = mkdtempSync(join(tmpdir(), 'collab-engine-'));
      folders.push(parent);
      const runId = newRunId(systemClock);
      const folder = join(parent, runId);
      const outside = { runFolder: folder, clock, store: other };
      return {
        folder,
        record: () => record(folder),
        takeFrom: () => takeFrom(folder),
        answer: (name: string, value: unknown, by: AnswerFromOutside['by'] = 'user') =>
          answerRun({ ...outside, name, value, by }),
        cancel: () => requestCancel(outside),
        questions: () => openQuestions(folder, other),
        /** Resolves when other processes see this question. */
        async asks(name: string): Promise<void> {
          for (;;) {
            const questions = await openQuestions(folder, other).catch(() => []);
            if (questions.some((question) => question.name === name)) return;
            await nextTurn();
          }
        },
        state: () => runState(folder, other),
        wait: (signal: AbortSignal) => waitForOwner(outside, signal),
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
