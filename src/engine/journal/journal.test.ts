import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventBody } from '../../events/collab-event.ts';
import { followJournal, followJournalInBatches } from '../../runs/folder/follow-journal.ts';
import { readJournal } from './journal-reader.ts';
import { journalFile, openJournal, type Journal } from './journal.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';

let runFolder = '';
beforeEach(() => {
  runFolder = mkdtempSync(join(tmpdir(), 'collab-journal-'));
});
afterEach(() => rmSync(runFolder, { recursive: true, force: true }));

test('XB-1 records are numbered from 1, with the time and the place of each', () => {
  const journal = open();
  journal.append([{ body: started, turn: 0 }]);
  journal.append([{ body: title('a'), turn: 2, step: 's', exchangeId: 'e', parentAgentId: 'p' }]);
  journal.close();
  expect(lines()).toEqual([
    '{"v":1,"run_id":"r","seq":1,"ts":"2026-11-21T09:30:00.000000Z","conversation_id":"c","tenant_id":"t",' +
      '"agent":{"id":"lead","role":"lead","provider":"p"},"turn":0,"type":"run.started","name":"collab","tools":[],"cwd":"/"}',
    '{"v":1,"run_id":"r","seq":2,"ts":"2026-11-21T09:30:00.000000Z","conversation_id":"c","tenant_id":"t",' +
      '"agent":{"id":"lead","role":"lead","provider":"p"},"parent_agent_id":"p","turn":2,"exchange_id":"e","step":"s","type":"title","title":"a"}',
  ]);
});

test('only commit points are announced, each once it is written', () => {
  const commits: (readonly string[])[] = [];
  const journal = open((events) => commits.push(events.map(({ type }) => type)));
  journal.append([{ body: started, turn: 0 }]);
  journal.append([{ body: title('a'), turn: 0 }]);
  journal.append([
    { body: title('b'), turn: 0 },
    { body: { type: 'step.begun', step: 's', attempt: 1, input_digest: 'd' }, turn: 0 },
  ]);
  journal.close();
  expect(commits).toEqual([['run.started'], ['title', 'step.begun']]);
});

test('a reopened journal knows its past and goes on counting', () => {
  begin();
  const journal = open();
  expect(journal.past.map(({ type }) => type)).toEqual(['run.started']);
  expect(journal.append([{ body: title('a'), turn: 0 }]).map(({ seq }) => seq)).toEqual([2]);
  journal.close();
});

test('a torn last line is cut off by its owner, and only ignored by a reader', () => {
  begin();
  appendFileSync(journalFile(runFolder), '{"v":1,"seq":2,"ty');
  expect(readJournal(journalFile(runFolder)).events).toHaveLength(1);
  expect(lines()).toHaveLength(2);
  open().close();
  expect(lines()).toHaveLength(1);
});

test('a run whose first line was torn begins anew', () => {
  writeFileSync(journalFile(runFolder), '{"v":1,"run_id":');
  const journal = open();
  expect(journal.past).toEqual([]);
  journal.append([{ body: started, turn: 0 }]);
  journal.close();
  expect(readJournal(journalFile(runFolder)).events.map(({ seq }) => seq)).toEqual([1]);
});

test('an unparsable inner line stops with the file and the line', () => {
  begin();
  const file = journalFile(runFolder);
  const [first = ''] = lines();
  const cases = ['not json', '{"v":1}', first, 'null'];
  const thrown = cases.map((line) => {
    writeFileSync(file, `${first}\n${line}\n${first}\n`);
    return errorOf(() => readJournal(file));
  });
  const corrupt = { code: 'journal_corrupt', details: { file, line: 2 } };
  expect(thrown).toMatchObject([corrupt, corrupt, corrupt, corrupt]);
});

test('a journal that does not begin with run.started is corrupt', () => {
  const journal = open();
  journal.append([{ body: title('a'), turn: 0 }]);
  journal.close();
  expect(errorOf(() => readJournal(journal.file))).toMatchObject({
    code: 'journal_corrupt',
    details: { line: 1 },
  });
});

test('another format version is refused with the reason', () => {
  writeFileSync(journalFile(runFolder), '{"v":2,"anything":"else"}\nwhat version 2 writes\n');
  expect(errorOf(() => readJournal(journalFile(runFolder)))).toMatchObject({
    code: 'journal_version',
    message: `${journalFile(runFolder)} has the journal format 2; this collab reads format 1`,
  });
});

test('a folder without a journal holds no run', () => {
  expect(errorOf(() => readJournal(journalFile(runFolder)))).toMatchObject({ code: 'run_not_found' });
});

test('nobody else may read it', () => {
  begin();
  expect(statSync(journalFile(runFolder)).mode & 0o777).toBe(0o600);
});

test('a follower sees each record once, also those that come in two writes, and ends with the run', async () => {
  const clock = createManualClock();
  const seen: string[] = [];
  const journal = open();
  journal.append([{ body: started, turn: 0 }]);
  const following = (async () => {
    const signal = new AbortController().signal;
    for await (const event of followJournal({ runFolder, clock, after: 1, signal })) {
      seen.push(event.type === 'title' ? event.title : event.type);
    }
  })();
  journal.append([{ body: title('a'), turn: 0 }]);
  await clockUntil(clock, () => seen.length === 1);
  const next = JSON.stringify({ ...readJournal(journal.file).events[1], seq: 3, title: 'b' });
  appendFileSync(journal.file, next.slice(0, 20));
  await clock.advance(200);
  expect(seen).toEqual(['a']);
  appendFileSync(journal.file, `${next.slice(20)}\n`);
  await clockUntil(clock, () => seen.length === 2);
  journal.close();
  const last = open();
  last.append([{ body: ended, turn: 0 }]);
  last.close();
  await clockUntil(clock, () => seen.length === 3);
  await following;
  expect(seen).toEqual(['a', 'b', 'run.ended']);
});

test('a follower may come before the run, and leaves when it is told to', async () => {
  const clock = createManualClock();
  const stop = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const { type } of followJournal({ runFolder, clock, signal: stop.signal })) seen.push(type);
  })();
  await clock.advance(200);
  begin();
  await clockUntil(clock, () => seen.length === 1);
  stop.abort();
  await following;
  expect(seen).toEqual(['run.started']);
});

test('a follower of a long journal reads it part by part, also a record that is longer than a part', async () => {
  const journal = open();
  journal.append([{ body: started, turn: 0 }]);
  journal.append(Array.from({ length: 2000 }, () => ({ body: title('x'.repeat(200)), turn: 0 })));
  journal.append([{ body: title('y'.repeat(1_000_000)), turn: 0 }]);
  journal.append([{ body: ended, turn: 0 }]);
  journal.close();
  const parts: (readonly number[])[] = [];
  const { signal } = new AbortController();
  for await (const events of followJournalInBatches({ runFolder, clock: createManualClock(), signal })) {
    parts.push(events.map(({ seq }) => seq));
  }
  expect(parts.length).toBeGreaterThan(3);
  expect(parts.flat()).toEqual(Array.from({ length: 2003 }, (_, index) => index + 1));
});

const started: EventBody = { type: 'run.started', name: 'collab', tools: [], cwd: '/' };
const ended: EventBody = {
  type: 'run.ended',
  status: 'success',
  outcome: 'clean',
  reasons: [],
  result: null,
  errors: [],
  duration_ms: 0,
  turns: 0,
};

function title(text: string): EventBody {
  return { type: 'title', title: text };
}

function open(onCommit?: Parameters<typeof openJournal>[0]['onCommit']): Journal {
  const agent = { id: 'lead', role: 'lead', provider: 'p' } as const;
  const envelope = { runId: 'r', conversationId: 'c', tenantId: 't', agent };
  return openJournal({ runFolder, envelope, clock: createManualClock(), onCommit });
}

function begin(): void {
  const journal = open();
  journal.append([{ body: started, turn: 0 }]);
  journal.close();
}

function lines(): readonly string[] {
  return readFileSync(journalFile(runFolder), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
}

/** Real reading takes real time; the clock stands for the pauses between. */
async function clockUntil(clock: ReturnType<typeof createManualClock>, done: () => boolean): Promise<void> {
  while (!done()) await clock.advance(50);
}
