import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ciFormats } from '../../../test/fixtures/reports/expect-whole.ts';
import { faultsOf, schemaFormats } from '../../../test/fixtures/reports/published-schemas.ts';
import { readers } from '../../../test/fixtures/reports/read-reports.ts';
import { unfinishedResult } from '../../review/outcome/result.ts';
import { writeReports } from './report-files.ts';

const result = unfinishedResult({
  state: 'running',
  run_id: 'run-1',
  started_at: '2026-11-21T09:30:00.000000Z',
  input: { kind: 'stdin', base: null, head: null, digest: '' },
  advisor: null,
  lead: null,
  fail_on: 'critical',
});

test('a report creates its folders', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'collab-reports-'));
  const file = join(folder, 'out', 'today', 'review.json');
  await writeReports([{ format: 'json', file }], result);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(result);
  rmSync(folder, { recursive: true });
});

test('from the first moment each format has a valid report that says the run has not ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'collab-reports-'));
  const targets = ciFormats.map((format) => ({ format, file: join(folder, `review.${format}`) }));
  await writeReports(targets, result);
  for (const { format, file } of targets) {
    const written = readFileSync(file, 'utf8');
    expect([format, readers[format](written)]).toEqual([format, { outcome: 'not finished', findings: [] }]);
  }
  for (const format of schemaFormats)
    expect(faultsOf(format, readFileSync(join(folder, `review.${format}`), 'utf8'))).toEqual([]);
  rmSync(folder, { recursive: true });
});

test.runIf(process.platform === 'linux')('a report whose folder cannot be created is refused', async () => {
  await expect(
    writeReports([{ format: 'json', file: '/proc/none/review.json' }], result),
  ).rejects.toMatchObject({
    code: 'file',
    message: '/proc/none cannot be written: it, or a folder above it, is missing',
  });
});
