/**
 * A whole rehearsed run of the four phases whose state after any record can be restored, as a killed process leaves
 * it: all files are as they were when the next record was written, even in the middle of the lead's edits.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import type { CollabEvent } from '../../../src/events/collab-event.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import {
  callsOf,
  driveStage,
  eventsOf,
  finishedCalls,
  prepareStage,
  type Stage,
  type StageInput,
} from './rehearsed-workflow.ts';
import { traceOf } from './trace.ts';

export interface CutWorkflow {
  readonly stage: Stage;
  readonly events: readonly CollabEvent[];
  /** Resumes a copy with the first so many records, proves the promises, and returns the calls that were made. */
  goOnAfterRecords(count: number): Promise<readonly string[]>;
  close(): void;
}

/** `keeps` selects the records whose state is kept. */
export async function createCutWorkflow(
  script: object,
  input: StageInput,
  keeps: (seq: number) => boolean,
): Promise<CutWorkflow> {
  const root = mkdtempSync(join(tmpdir(), 'collab-workflow-cut-'));
  const place = join(root, 'stage');
  const leftAfter = (count: number): string => join(root, 'left', String(count));
  const stage = prepareStage(place, script, input);
  if (keeps(0)) cpSync(place, leftAfter(0), copying);
  await driveStage(stage, {
    onEvent({ seq }) {
      if (keeps(seq - 1) && seq > 1) cpSync(place, leftAfter(seq - 1), copying);
    },
  });
  const events = eventsOf(stage);
  const whole = traceOf(stage);
  const calls = callsOf(stage).toSorted();
  return {
    stage,
    events,
    async goOnAfterRecords(count) {
      rmSync(place, { recursive: true });
      cpSync(leftAfter(count), place, copying);
      if (count > 0) truncateSync(journalFile(stage.runFolder), bytesOf(stage, count));
      const finished = finishedCalls(eventsOf(stage));
      const before = callsOf(stage);
      const departure = await driveStage(stage);
      const made = callsOf(stage).slice(before.length);
      expect({
        count,
        departure: departure.kind,
        ...traceOf(stage),
        repeated: made.filter((call) => finished.includes(call)),
        called: [...new Set([...before, ...made])].toSorted(),
        broken: checkLaws(eventsOf(stage)),
      }).toEqual({ count, departure: 'settled', ...whole, repeated: [], called: calls, broken: [] });
      return made;
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

const copying = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };

function bytesOf({ runFolder }: Stage, count: number): number {
  const lines = readFileSync(journalFile(runFolder), 'utf8').split('\n').slice(0, count);
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
