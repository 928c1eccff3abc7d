import { expect, test } from 'vitest';
import { systemClock } from '../system/clock.ts';
import { createManualClock } from '../system/manual-clock.test-helper.ts';
import { timestampOf } from './timestamp.ts';

test('a timestamp has six fractional digits', () => {
  expect(timestampOf({ ...createManualClock(), now: () => Date.UTC(2026, 10, 21, 9, 30) + 7.25 })).toBe(
    '2026-11-21T09:30:00.007250Z',
  );
  expect(timestampOf(systemClock)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
});
