/** A whole rehearsed review whose journal is cut in copies, as a killed process or a power loss leaves it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { callsOf, driveStage, eventsOf, finishedSteps, prepareStage, resultOf } from './rehearsed-review.ts';

export interface CutReview {
  /** The number of the whole journal's records. */
  readonly lines: readonly string[];
  /** Resumes a copy with the first so many records, proves the promises, and returns the calls that were made. */
  goOnAfterRecords(count: number): Promise<readonly string[]>;
  /** The same with so many bytes. */
  goOnAfterBytes(count: number): Promise<readonly string[]>;
  close(): void;
}

export async function createCutReview(): Promise<CutReview> {
  const folder = mkdtempSync(join(tmpdir(), 'collab-review-cut-'));
  const place = join(folder, 'stage');
  /** The agent's sessions at the time when a record was written, by its number. */
  const sessionsAt = (seq: number): string => join(folder, 'sessions', String(seq));
  const stage = await prepareStage(place);
  await driveStage(stage, {
    onEvent: ({ seq }) => cpSync(stage.env.HOME, sessionsAt(seq), { recursive: true }),
  });
  cpSync(place, join(folder, 'whole'), { recursive: true });
  const result = resultOf(stage);
  const lines = readFileSync(journalFile(stage.runFolder), 'utf8').split('\n').slice(0, -1);

  const cut = (bytes: number): void => {
    rmSync(place, { recursive: true });
    cpSync(join(folder, 'whole'), place, { recursive: true });
    // The part that was cut off is not in the cache either.
    rmSync(join(place, '.collab/cache'), { recursive: true, force: true });
    truncateSync(journalFile(stage.runFolder), bytes);
    rmSync(stage.env.HOME, { recursive: true });
    cpSync(sessionsAt(eventsOf(stage).length + 1), stage.env.HOME, { recursive: true });
  };
  const goOnAfterBytes = async (bytes: number): Promise<readonly string[]> => {
    cut(bytes);
    const finished = finishedSteps(eventsOf(stage));
    const callsBefore = callsOf(stage).length;
    const departure = await driveStage(stage);
    const calls = callsOf(stage).slice(callsBefore);
    expect({
      bytes,
      departure: departure.kind,
      result: resultOf(stage),
      repeated: calls.filter((call) => finished.includes(call)),
      broken: checkLaws(eventsOf(stage)),
    }).toEqual({ bytes, departure: 'settled', result, repeated: [], broken: [] });
    return calls;
  };
  return {
    lines,
    goOnAfterBytes,
    goOnAfterRecords: (count) => goOnAfterBytes(byteLength(lines.slice(0, count))),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function byteLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
