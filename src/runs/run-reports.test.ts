import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unfinishedResult } from '../review/result.ts';
import { writeReports } from './run-reports.ts';

const result = unfinishedResult({
  state: 'running',
  run_id: 'run-1',
  started_at: '2026-11-21T09:30:00.000000Z',
  input: { kind: 'stdin', base: null, head: null, digest: '' },
  advisor: null,
  lead: null,
  fail_on: 'critical',
});

test('a report makes the folders that it lies in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'collab-reports-'));
  const file = join(folder, 'out', 'today', 'review.json');
  await writeReports([{ format: 'json', file }], result);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(result);
  rmSync(folder, { recursive: true });
});

test.runIf(process.platform === 'linux')('a report where no folder can be made is refused', async () => {
  await expect(
    writeReports([{ format: 'json', file: '/proc/none/review.json' }], result),
  ).rejects.toMatchObject({
    code: 'usage',
    message: 'the report /proc/none/review.json cannot be written',
  });
});
