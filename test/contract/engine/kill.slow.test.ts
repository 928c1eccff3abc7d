import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import { readJournal } from '../../../src/engine/journal/journal-reader.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { buildProgram } from '../../setup/build-program.ts';
import { callsIn, scriptedResult } from './scripted-review.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-kill-'));
let program = '';

beforeAll(async () => {
  program = await buildProgram(join(import.meta.dirname, 'scripted-review.program.ts'), folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('XB-1 kill -9 at every commit point: the same result, and no finished call is made twice', async () => {
  const whole = await review('whole', 0);
  const commits = whole.commits;
  expect(commits).toBeGreaterThanOrEqual(22);

  for (let commit = 1; commit <= commits; commit += 1) {
    const { runFolder, signal } = await review(`killed-${commit}`, commit);
    expect(signal).toBe('SIGKILL');
    const finished = finishedSteps(runFolder);
    const callsBefore = callsIn(callLogOf(runFolder));

    const again = await review(`killed-${commit}`, 0);
    expect(again.departure).toEqual({ kind: 'settled', result: scriptedResult });
    const callsAfter = callsIn(callLogOf(runFolder)).slice(callsBefore.length);
    expect(callsAfter.filter((call) => finished.includes(call))).toEqual([]);
    expect([...new Set([...callsBefore, ...callsAfter])].toSorted()).toEqual(allCalls);
    expect(checkLaws(readJournal(journalFile(runFolder)).events)).toEqual([]);
  }
}, 240_000);

const allCalls = [
  'chunk-1/attempt-1',
  'chunk-2/attempt-1',
  'chunk-2/attempt-2',
  'chunk-3/attempt-1',
  'chunk-3/attempt-2',
  'chunk-3/attempt-3',
  'plan',
];

async function review(name: string, stopAfter: number) {
  const runFolder = join(folder, name);
  const { stdout, signal } = await execa({
    reject: false,
    env: { TMPDIR: folder },
  })`node ${program} ${runFolder} ${callLogOf(runFolder)} ${String(stopAfter)}`;
  return { runFolder, signal, ...(stdout === '' ? { commits: 0, departure: null } : JSON.parse(stdout)) };
}

function callLogOf(runFolder: string): string {
  return `${runFolder}.calls`;
}

function finishedSteps(runFolder: string): readonly string[] {
  return readJournal(journalFile(runFolder)).events.flatMap((event) =>
    event.type === 'step.ended' ? [event.step] : [],
  );
}
