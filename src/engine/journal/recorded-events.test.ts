import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { collectRecords, recordsSoFar } from './recorded-events.ts';

test('a run without a journal has no records, which is not an error', () => {
  const folder = scratchFolder();
  expect([recordsSoFar(folder), collectRecords(folder).all()]).toEqual([[], []]);
});
