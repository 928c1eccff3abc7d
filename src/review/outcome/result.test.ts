import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { version } from '../../version.ts';
import { computeCoverage } from './coverage.ts';
import { coverageForResult, reviewResultJsonSchema, reviewResultSchema, unfinishedResult } from './result.ts';
import { censusOf, exchange, shownOf } from '../findings/findings.test-helper.ts';
import { exampleResult } from './result.test-helper.ts';

const schemaFile = resolve(import.meta.dirname, '../../../schemas/collab.review.v1.json');

test('the published JSON Schema equals that of the code (UPDATE_SCHEMAS=1 writes it)', () => {
  const text = `${JSON.stringify(reviewResultJsonSchema(), null, 2)}\n`;
  if (process.env['UPDATE_SCHEMAS'] === '1') writeFileSync(schemaFile, text);
  expect(readFileSync(schemaFile, 'utf8')).toBe(text);
});

/** Returns ajv's errors about a value; null if it is valid. */
function faultsOf(value: unknown): string | null {
  const validate = new Ajv2020({ formats: { 'date-time': true, date: true } }).compile(
    reviewResultJsonSchema(),
  );
  return validate(value)
    ? null
    : JSON.stringify(validate.errors?.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`));
}

test('a complete result is valid by the schema of the code and by the published one', () => {
  const result = exampleResult();
  expect(reviewResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
  expect(faultsOf(result)).toBe(null);
  expect(faultsOf({ ...result, added_later: 1 })).toBe(null);
});

test.each<[string, object]>([
  ['/outcome anyOf', { outcome: 'ok' }],
  ['/state enum', { state: 'done' }],
  ['/schema const', { schema: 'collab.review/v2' }],
  ['/exit_code type', { exit_code: 'x' }],
  ['/fail_on enum', { fail_on: 'all' }],
])('the published schema refuses %s', (fault, change) => {
  expect(faultsOf({ ...exampleResult(), ...change })).toContain(JSON.stringify(fault));
});

test('the published schema requires every field', () => {
  const { exchanges: _exchanges, ...rest } = exampleResult();
  expect(faultsOf(rest)).toBe('[" required"]');
});

const facts = {
  run_id: 'r-1',
  started_at: '2026-11-21T09:30:00.000Z',
  input: { kind: 'working_tree', base: null, head: null, digest: 'd' },
  advisor: null,
  lead: null,
  fail_on: 'never',
} as const;

test('an unfinished result is a failed one, and valid', () => {
  const result = unfinishedResult({ ...facts, state: 'running' });
  expect(result).toEqual({
    schema: 'collab.review/v1',
    collab_version: version,
    ...facts,
    state: 'running',
    outcome: 'failed',
    reasons: ['not_finished: the review has not ended'],
    assurance: 'none',
    ended_at: null,
    coverage: { files_changed: 0, lines_changed: 0, lines_reviewed: 0, lines_scanned: 0, files: [] },
    strengths: [],
    findings: [],
    suggestions: [],
    exchanges: [],
    usage: { input: 0, output: 0, cache_read: 0, cache_write_5m: 0, cache_write_1h: 0, reasoning: 0 },
    cost_usd: null,
    usage_by: [],
    exit_code: 4,
  });
  expect(reviewResultSchema.parse(result)).toEqual(result);
  expect(faultsOf(result)).toBe(null);
});

test('a result of a build without a version is valid', () => {
  const { collab_version: _, ...older } = exampleResult();
  expect(reviewResultSchema.parse(older)).toEqual(older);
  expect(faultsOf(older)).toBe(null);
});

test('an unfinished result keeps the known coverage', () => {
  const { coverage } = exampleResult();
  expect(unfinishedResult({ ...facts, state: 'interrupted', coverage })).toMatchObject({
    state: 'interrupted',
    coverage,
  });
});

test('coverage uses the wire’s names, and omits a missing reason', () => {
  const census = censusOf('a.ts', 'yarn.lock');
  const covered = computeCoverage(census, [exchange({ shown: shownOf(census, 'a.ts') })]);
  expect(coverageForResult(covered)).toEqual({
    files_changed: 2,
    lines_changed: 4,
    lines_reviewed: 2,
    lines_scanned: 0,
    files: [
      {
        path: 'a.ts',
        status: 'reviewed',
        receipts: [
          {
            exchange: 'chunk-1',
            prompt_digest: 'prompt',
            answer_digest: 'answer',
            ranges: [{ side: 'new', start: 1, end: 2 }],
          },
        ],
      },
      { path: 'yarn.lock', status: 'skipped', reason: 'lock file', skipped_by: 'collab', receipts: [] },
    ],
  });
});
