import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/fixtures/scratch-repository.ts';
import { collectRecords, recordsSoFar } from './recorded-events.ts';

test('a run that has not begun its journal has no records, and that is no fault', () => {
  const folder = scratchFolder();
  expect([recordsSoFar(folder), collectRecords(folder).all()]).toEqual([[], []]);
});
