import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ended, openTestJournal, started, title } from '../../engine/journal/open-journal.test-helper.ts';
import { readJournal } from '../../engine/journal/journal-reader.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { followJournalInBatches } from './follow-journal.ts';

let runFolder = '';
beforeEach(() => {
  runFolder = mkdtempSync(join(tmpdir(), 'collab-journal-'));
});
afterEach(() => rmSync(runFolder, { recursive: true, force: true }));

test('a follower sees each record once, even if it is written in two parts, and ends with the run', async () => {
  const clock = createManualClock();
  const seen: string[] = [];
  const journal = openTestJournal(runFolder);
  journal.append([{ body: started, turn: 0 }]);
  const following = (async () => {
    const signal = new AbortController().signal;
    for await (const lines of followJournalInBatches({ runFolder, clock, signal }))
      seen.push(...lines.map(({ event }) => (event.type === 'title' ? event.title : event.type)));
  })();
  journal.append([{ body: title('a'), turn: 0 }]);
  await clockUntil(clock, () => seen.length === 2);
  const next = JSON.stringify({ ...readJournal(journal.file).events[1], seq: 3, title: 'b' });
  appendFileSync(journal.file, next.slice(0, 20));
  await clock.advance(200);
  expect(seen).toEqual(['run.started', 'a']);
  appendFileSync(journal.file, `${next.slice(20)}\n`);
  await clockUntil(clock, () => seen.length === 3);
  journal.close();
  const last = openTestJournal(runFolder);
  last.append([{ body: ended, turn: 0 }]);
  last.close();
  await clockUntil(clock, () => seen.length === 4);
  await following;
  expect(seen).toEqual(['run.started', 'a', 'b', 'run.ended']);
});

test('a follower may start before the run, and stops on its signal', async () => {
  const clock = createManualClock();
  const stop = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const lines of followJournalInBatches({ runFolder, clock, signal: stop.signal }))
      seen.push(...lines.map(({ event }) => event.type));
  })();
  await clock.advance(200);
  const journal = openTestJournal(runFolder);
  journal.append([{ body: started, turn: 0 }]);
  journal.close();
  await clockUntil(clock, () => seen.length === 1);
  stop.abort();
  await following;
  expect(seen).toEqual(['run.started']);
});

test('a follower reads a long journal part by part, even a record longer than a part', async () => {
  const journal = openTestJournal(runFolder);
  journal.append([{ body: started, turn: 0 }]);
  journal.append(Array.from({ length: 2000 }, () => ({ body: title('x'.repeat(200)), turn: 0 })));
  journal.append([{ body: title('y'.repeat(1_000_000)), turn: 0 }]);
  journal.append([{ body: ended, turn: 0 }]);
  journal.close();
  const parts: (readonly number[])[] = [];
  const { signal } = new AbortController();
  for await (const lines of followJournalInBatches({ runFolder, clock: createManualClock(), signal })) {
    parts.push(lines.map(({ event }) => event.seq));
  }
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.flat()).toEqual(Array.from({ length: 2003 }, (_, index) => index + 1));
});

/** Real reading takes real time; the clock controls the pauses in between. */
async function clockUntil(clock: ReturnType<typeof createManualClock>, done: () => boolean): Promise<void> {
  while (!done()) await clock.advance(50);
}
