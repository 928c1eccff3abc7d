import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import { createManualClock } from '../../system/manual-clock.test-helper.ts';
import { journalFile } from '../journal/journal.ts';
import { runEnvelope } from '../journal/open-journal.test-helper.ts';
import { embeddedStore } from './embedded-store.ts';

const clock = createManualClock();

test('a run whose journal is damaged or missing is not taken, and stays free', async () => {
  const runFolder = scratchFolder();
  const claim = () => embeddedStore.claim({ runFolder, clock, envelope: null });
  await expect(claim()).rejects.toMatchObject({ code: 'run_not_found' });
  writeFileSync(journalFile(runFolder), 'damaged\n{}\n');
  await expect(claim()).rejects.toMatchObject({ code: 'journal_corrupt' });
  expect(await embeddedStore.isOwned(runFolder)).toBe(false);
  writeFileSync(journalFile(runFolder), '');
  const taken = await embeddedStore.claim({ runFolder, clock, envelope: runEnvelope() });
  expect(await embeddedStore.isOwned(runFolder)).toBe(true);
  await taken.release();
  expect(await embeddedStore.isOwned(runFolder)).toBe(false);
});

test('a run that another process continues keeps its agent and its conversation', async () => {
  const runFolder = scratchFolder();
  const [first] = journalRecords([{ type: 'run.started', name: 'codex', tools: [], cwd: '/' }], {
    run_id: 'r1',
    conversation_id: 'c1',
    tenant_id: 'acme',
  });
  writeFileSync(journalFile(runFolder), `${JSON.stringify(first)}\n`);
  const claim = await embeddedStore.claim({ runFolder, clock, envelope: null });
  const records = claim.append([{ body: { type: 'title', title: 'Totals' }, turn: 0 }]);
  await claim.release();
  expect(records).toMatchObject([
    { run_id: 'r1', seq: 2, conversation_id: 'c1', tenant_id: 'acme', agent: first?.agent, title: 'Totals' },
  ]);
});

test('records are read in order while others are added, and a damaged line has its number', async () => {
  const runFolder = scratchFolder();
  const records = journalRecords([
    { type: 'run.started', name: 'codex', tools: [], cwd: '/' },
    { type: 'title', title: 'one' },
    { type: 'title', title: 'two' },
  ]);
  const write = (...more: readonly string[]) =>
    writeFileSync(join(runFolder, 'journal.jsonl'), more.map((line) => `${line}\n`).join(''));
  const lines = records.map((record) => JSON.stringify(record));
  const reader = embeddedStore.read(runFolder, clock);
  const next = async () => (await reader.next()).map(({ event }) => event.seq);
  expect(await next()).toEqual([]);
  write(...lines.slice(0, 2));
  expect([await next(), await next()]).toEqual([[1, 2], []]);
  write(...lines);
  expect(await next()).toEqual([3]);
  write(...lines, 'damaged');
  await expect(next()).rejects.toMatchObject({ code: 'journal_corrupt', details: { line: 4 } });
  await reader.close();
});

test('a text of the run is found by its name, and none is null', async () => {
  const runFolder = scratchFolder();
  const claim = await embeddedStore.claim({ runFolder, clock, envelope: runEnvelope() });
  const name = claim.blobs.put('a long prompt');
  await claim.release();
  expect(await embeddedStore.text(runFolder, name)).toBe('a long prompt');
  expect(await embeddedStore.text(runFolder, 'ab'.repeat(32))).toBeNull();
});
