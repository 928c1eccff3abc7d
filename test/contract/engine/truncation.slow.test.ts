/** Power loss and torn writes, played in-process: a copy of a complete run is cut, and the run continues. */
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { performRun } from '../../../src/engine/drive/perform-run.ts';
import { readJournal } from '../../../src/engine/journal/journal-reader.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import {
  callsIn,
  scriptedEnvelope,
  scriptedResult,
  scriptedReview,
  scriptedStart,
  settleScripted,
} from './scripted-review.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-cut-'));
const whole = join(folder, 'whole');
let lines: readonly string[] = [];

beforeAll(async () => {
  await drive(whole);
  lines = readFileSync(journalFile(whole), 'utf8').split('\n').slice(0, -1);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('XB-1 a journal cut after any record goes on to the same result without a finished call', async () => {
  expect(lines.length).toBeGreaterThan(60);
  for (let kept = 0; kept < lines.length; kept += 1) {
    await goesOnAfter(byteLength(lines.slice(0, kept)));
  }
}, 240_000);

test('a last line torn at any byte, or an answer at any eighth, is cut off by the next owner, which continues', async () => {
  const last = byteLength(lines) - byteLength(lines.slice(0, -1));
  expect(last).toBeGreaterThan(200);
  for (let torn = 1; torn < last; torn += 1) await goesOnAfter(byteLength(lines) - torn);
  const ended = lines.findIndex((line) => line.includes('"step.ended"') && line.includes('chunk-2'));
  const before = byteLength(lines.slice(0, ended));
  const after = byteLength(lines.slice(0, ended + 1));
  for (let bytes = before + 1; bytes < after; bytes += 8) await goesOnAfter(bytes);
}, 240_000);

test('a blob whose line was never written costs the call again and nothing else', async () => {
  const line = lines.findIndex((text) => text.includes('"value_ref"'));
  expect(line).toBeGreaterThan(0);
  const { calls } = await goesOnAfter(byteLength(lines.slice(0, line)));
  expect(calls).toContain('chunk-1/attempt-1');
});

test('a missing or changed blob stops the run with journal_corrupt', async () => {
  const ref = /"value_ref":"([0-9a-f]{64})"/.exec(lines.join('\n'))?.[1] ?? '';
  const missing = copyOf(whole, 'missing-blob');
  rmSync(join(missing, 'blobs', `${ref}.gz`));
  await expect(drive(missing)).rejects.toMatchObject({ code: 'journal_corrupt' });
  const changed = copyOf(whole, 'changed-blob');
  writeFileSync(join(changed, 'blobs', `${ref}.gz`), '"something else"');
  await expect(drive(changed)).rejects.toMatchObject({ code: 'journal_corrupt' });
});

/** Cuts a copy to so many bytes, resumes it, and proves the promises; returns the calls that were made again. */
async function goesOnAfter(bytes: number) {
  const copy = copyOf(whole, `cut-${bytes}`);
  truncateSync(journalFile(copy), bytes);
  const finished = readJournal(journalFile(copy)).events.flatMap((event) =>
    event.type === 'step.ended' ? [event.step] : [],
  );
  const departure = await drive(copy);
  const calls = callsIn(`${copy}.calls`);
  const { events } = readJournal(journalFile(copy));
  rmSync(copy, { recursive: true });

  expect({ bytes, departure }).toEqual({ bytes, departure: { kind: 'settled', result: scriptedResult } });
  expect({ bytes, repeated: calls.filter((call) => finished.includes(call)) }).toEqual({
    bytes,
    repeated: [],
  });
  expect({ bytes, broken: checkLaws(events) }).toEqual({ bytes, broken: [] });
  return { calls };
}

function drive(runFolder: string) {
  return performRun({
    runFolder,
    envelope: scriptedEnvelope,
    clock: systemClock,
    signal: new AbortController().signal,
    start: scriptedStart,
    body: scriptedReview(`${runFolder}.calls`),
    settle: settleScripted,
  });
}

function copyOf(source: string, name: string): string {
  const copy = join(folder, name);
  cpSync(source, copy, { recursive: true });
  return copy;
}

function byteLength(text: readonly string[]): number {
  return text.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
