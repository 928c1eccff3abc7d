import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkLaws } from '../../../src/events/laws.ts';
import type { RunContext } from '../../../src/engine/port.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { performRun } from '../../../src/engine/drive/perform-run.ts';
import { readJournal } from '../../../src/engine/journal/journal-reader.ts';
import { journalFile } from '../../../src/engine/journal/journal.ts';
import { driveMachines } from './scripted-machines.ts';
import {
  callsIn,
  scriptedEnvelope,
  scriptedResult,
  scriptedReview,
  scriptedStart,
  settleScripted,
  type Review,
} from './scripted-review.ts';

const folder = mkdtempSync(join(tmpdir(), 'collab-interrupt-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an interruption at any third record leaves no run.ended, and the next drive continues', async () => {
  expect(await interruptEvery(3, 'plain', (callLog) => scriptedReview(callLog))).toBeGreaterThan(60);
}, 240_000);

test('nested machines that are interrupted at any record never see a false failure', async () => {
  const seen = new Set<string>();
  await interruptEvery(1, 'machines', (callLog) => (context) => driveMachines(context, callLog, seen));
  expect([...seen].toSorted()).toEqual(['asking', 'planning', 'reviewing', 'settled']);
}, 240_000);

type Body = (callLog: string) => (context: RunContext) => Promise<Review>;

/** Returns how many records a whole run has. */
async function interruptEvery(stride: number, name: string, body: Body): Promise<number> {
  const whole = await drive(`${name}-whole`, Number.POSITIVE_INFINITY, body);
  expect(whole.departure).toEqual({ kind: 'settled', result: scriptedResult });
  const records = whole.events.length;

  for (let record = 1; record < records; record += stride) {
    const first = await drive(`${name}-${record}`, record, body);
    expect({ record, ...first.departure }).toEqual({ record, kind: 'interrupted', reason: 'signal' });
    expect(first.events).toHaveLength(first.written);
    expect(first.events.filter(({ type }) => type === 'run.ended')).toEqual([]);

    const second = await drive(`${name}-${record}`, Number.POSITIVE_INFINITY, body);
    expect({ record, ...second.departure }).toEqual({ record, kind: 'settled', result: scriptedResult });
    expect({ record, broken: checkLaws(second.events) }).toEqual({ record, broken: [] });
    expect({ record, repeated: repeated(first, second) }).toEqual({ record, repeated: [] });
  }
  return records;
}

interface Drive {
  readonly events: ReturnType<typeof readJournal>['events'];
  readonly calls: readonly string[];
}

function repeated(first: Drive, second: Drive): readonly string[] {
  const finished = first.events.flatMap((event) => (event.type === 'step.ended' ? [event.step] : []));
  return second.calls.slice(first.calls.length).filter((call) => finished.includes(call));
}

async function drive(name: string, interruptAt: number, body: Body) {
  const runFolder = join(folder, name);
  const callLog = `${runFolder}.calls`;
  const interruption = new AbortController();
  let written = 0;
  const departure = await performRun({
    runFolder,
    envelope: scriptedEnvelope,
    clock: systemClock,
    signal: interruption.signal,
    start: scriptedStart,
    body: body(callLog),
    settle: settleScripted,
    onEvent() {
      written += 1;
      if (written === interruptAt) interruption.abort();
    },
  });
  const { events } = readJournal(journalFile(runFolder));
  expect(readFileSync(journalFile(runFolder), 'utf8').endsWith('\n')).toBe(true);
  return { departure, events, written, calls: callsIn(callLog) };
}
