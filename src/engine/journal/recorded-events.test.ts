import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { journalRecords } from '../../events/journal-record.test-helper.ts';
import { collectRecords, recordsSoFar } from './recorded-events.ts';

test('a run without a journal has no records, which is not an error', () => {
  const folder = scratchFolder();
  expect([recordsSoFar(folder), collectRecords(folder).all()]).toEqual([[], []]);
});

test('records of former drives do not count as records of this one, and deltas are not kept', () => {
  const records = collectRecords(scratchFolder());
  const past = journalRecords([
    { type: 'title', title: 't' },
    { type: 'text.delta', block_id: '1', text: 'a' },
    { type: 'thinking.delta', block_id: '2', text: 'b' },
  ]);
  records.begin(past);
  expect([records.any(), records.all()]).toEqual([false, past.slice(0, 1)]);
  for (const event of past.slice(1)) records.push(event);
  expect(records.any()).toBe(false);
  for (const event of past) records.push(event);
  expect([records.any(), records.all()]).toEqual([true, [past[0], past[0]]]);
});
