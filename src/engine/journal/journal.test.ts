import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countCalls } from '../../system/files/step-before-call.test-helper.ts';
import { readJournal } from './journal-reader.ts';
import { journalFile, type Journal } from './journal.ts';
import {
  ended,
  linesOf,
  linesRenderedAgain,
  openTestJournal,
  started,
  title,
} from './open-journal.test-helper.ts';

let runFolder = '';
beforeEach(() => {
  runFolder = mkdtempSync(join(tmpdir(), 'collab-journal-'));
});
afterEach(() => rmSync(runFolder, { recursive: true, force: true }));

test('XB-1.1 records are numbered from 1, with the time and the place of each', () => {
  const journal = open();
  journal.append([{ body: started, turn: 0 }]);
  journal.append([{ body: title('a'), turn: 2, step: 's', exchangeId: 'e', parentAgentId: 'p' }]);
  journal.close();
  expect(lines()).toEqual([
    '{"v":1,"run_id":"run-1","seq":1,"ts":"2026-11-21T09:30:00.000000Z","conversation_id":"c","tenant_id":"t",' +
      '"agent":{"id":"lead","role":"lead","provider":"p"},"turn":0,"type":"run.started","name":"collab","tools":[],"cwd":"/"}',
    '{"v":1,"run_id":"run-1","seq":2,"ts":"2026-11-21T09:30:00.000000Z","conversation_id":"c","tenant_id":"t",' +
      '"agent":{"id":"lead","role":"lead","provider":"p"},"parent_agent_id":"p","turn":2,"exchange_id":"e","step":"s","type":"title","title":"a"}',
  ]);
});

test('a record that is parsed and rendered again has the bytes of its line', () => {
  const journal = open();
  const step = 'review/turn-1';
  journal.append([
    { body: { cwd: '/', tools: [], session_id: 's', name: 'collab', type: 'run.started' }, turn: 0 },
    { body: { type: 'step.begun', step, attempt: 1, input_digest: 'd' }, turn: 0 },
    { body: { type: 'step.bound', step, session_id: 'x' }, turn: 1 },
    { body: { type: 'text.delta', block_id: 'b', text: 'é\u2028\r' }, turn: 1, step, exchangeId: 'e' },
    { body: { type: 'step.ended', step, attempt: 1, value: { b: 1, a: [null] } }, turn: 1 },
  ]);
  journal.close();
  expect(linesRenderedAgain(journal.file)).toEqual(linesOf(journal.file));
});

test('only commit points are announced, each after it is written', () => {
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

test('records are synced once for all commit points since the last time, and before the journal is closed', () => {
  begin();
  const journal = open();
  const synced = () => countCalls(() => journal.sync());
  expect(synced()).toBe(0);
  for (const attempt of [1, 2])
    journal.append([{ body: { type: 'step.begun', step: 's', attempt, input_digest: 'd' }, turn: 0 }]);
  expect([synced(), synced()]).toEqual([1, 0]);
  journal.append([{ body: title('a'), turn: 0 }]);
  expect(synced()).toBe(0);
  journal.append([{ body: ended, turn: 0 }]);
  // The sync, and the end of the file.
  expect(countCalls(() => journal.close())).toBe(2);
});

test('a reopened journal has its earlier records and continues their numbers', () => {
  begin();
  const journal = open();
  expect(journal.past.map(({ type }) => type)).toEqual(['run.started']);
  expect(journal.append([{ body: title('a'), turn: 0 }]).map(({ seq }) => seq)).toEqual([2]);
  journal.close();
});

test('a torn last line is cut off by the owner, and only ignored by a reader', () => {
  begin();
  appendFileSync(journalFile(runFolder), '{"v":1,"seq":2,"ty');
  expect(readJournal(journalFile(runFolder)).events).toHaveLength(1);
  expect(lines()).toHaveLength(2);
  open().close();
  expect(lines()).toHaveLength(1);
});

test('a run whose first line was torn starts from scratch', () => {
  writeFileSync(journalFile(runFolder), '{"v":1,"run_id":');
  const journal = open();
  expect(journal.past).toEqual([]);
  journal.append([{ body: started, turn: 0 }]);
  journal.close();
  expect(readJournal(journalFile(runFolder)).events.map(({ seq }) => seq)).toEqual([1]);
});

test('an unparsable line in the middle is reported with its file and number', () => {
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
    message: `${journalFile(runFolder)} has the journal format 2; this version reads format 1`,
  });
});

test('a folder without a journal holds no run', () => {
  expect(errorOf(() => readJournal(journalFile(runFolder)))).toMatchObject({ code: 'run_not_found' });
});

test('the journal is readable by its owner only', () => {
  begin();
  expect(statSync(journalFile(runFolder)).mode & 0o777).toBe(0o600);
});

function open(onCommit?: Parameters<typeof openTestJournal>[1]): Journal {
  return openTestJournal(runFolder, onCommit);
}

function begin(): void {
  const journal = open();
  journal.append([{ body: started, turn: 0 }]);
  journal.close();
}

function lines(): readonly string[] {
  return linesOf(journalFile(runFolder));
}

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
}
