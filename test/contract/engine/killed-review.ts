/** Runs the scripted review in processes that end in the middle, and says what it must have done in the end. */
import { execa } from 'execa';
import { expect } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import { callsIn, scriptedResult } from './scripted-review.ts';

export interface KilledReviewOptions {
  /** The bundled program. */
  readonly program: string;
  readonly temporaryFolder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly record: (runFolder: string) => Promise<readonly CollabEvent[]>;
}

export function createKilledReview({ program, temporaryFolder, env = {}, record }: KilledReviewOptions) {
  async function review(runFolder: string, stopAfter: number) {
    const { stdout, signal } = await execa({
      reject: false,
      env: { TMPDIR: temporaryFolder, ...env },
    })`node ${program} ${runFolder} ${callLogOf(runFolder)} ${String(stopAfter)}`;
    return { signal, ...(stdout === '' ? { commits: 0, departure: null } : JSON.parse(stdout)) };
  }

  async function finishedSteps(runFolder: string): Promise<readonly string[]> {
    return (await record(runFolder)).flatMap((event) => (event.type === 'step.ended' ? [event.step] : []));
  }

  return {
    review,
    /** Returns what a review must not do again if it continues now. */
    async soFar(runFolder: string) {
      return { finished: await finishedSteps(runFolder), calls: callsIn(callLogOf(runFolder)) };
    },
    /** Expects the whole review, without a second call of a finished step. */
    async expectWhole(
      runFolder: string,
      departure: unknown,
      before: { readonly finished: readonly string[]; readonly calls: readonly string[] },
    ): Promise<void> {
      expect(departure).toEqual({ kind: 'settled', result: scriptedResult });
      const after = callsIn(callLogOf(runFolder)).slice(before.calls.length);
      expect(after.filter((call) => before.finished.includes(call))).toEqual([]);
      expect([...new Set([...before.calls, ...after])].toSorted()).toEqual(allCalls);
      expect(checkLaws(await record(runFolder))).toEqual([]);
    },
  };
}

const allCalls = [
  'chunk-1/attempt-1',
  'chunk-2/attempt-1',
  'chunk-2/attempt-2',
  'chunk-3/attempt-1',
  'chunk-3/attempt-2',
  'chunk-3/attempt-3',
  'plan',
];

export function callLogOf(runFolder: string): string {
  return `${runFolder}.calls`;
}
